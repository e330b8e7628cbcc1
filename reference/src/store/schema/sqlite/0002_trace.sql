-- The trace of each protocol, empty unless recording is on. The order of positions is the order of commits: each is one
-- above the last that stands here, of whatever protocol, taken inside the transaction that writes it.
CREATE TABLE trace (
    -- The rowid, which SQLite takes as one above the largest. An export begins above 0, and must miss nothing.
    position INTEGER PRIMARY KEY CHECK (position >= 1),
    protocol TEXT    NOT NULL CHECK (protocol IN ('snapshot', 'operation')),
    process  TEXT    NOT NULL,
    -- Counts the events of the process in the protocol from 0.
    sequence INTEGER NOT NULL CHECK (sequence >= 0),
    computer TEXT    NOT NULL,
    -- Whether it marks the death of an owner of operations.
    is_death INTEGER NOT NULL CHECK (is_death IN (0, 1)),
    -- The event without its place, which the columns above say.
    event    TEXT    NOT NULL,
    UNIQUE (protocol, process, sequence)
) STRICT;

-- Who has died as an owner never comes back, so its death is marked once for each computer.
CREATE UNIQUE INDEX trace_death ON trace (process, computer) WHERE is_death = 1;

-- One row: whether an event was ever lost. It is there from the beginning, so that the mark needs no room of its own.
CREATE TABLE trace_loss (
    only  INTEGER PRIMARY KEY CHECK (only = 1),
    lossy INTEGER NOT NULL CHECK (lossy IN (0, 1))
) STRICT;
INSERT INTO trace_loss (only, lossy) VALUES (1, 0);

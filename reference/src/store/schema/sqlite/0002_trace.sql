-- The trace, empty unless recording is on. A position is never used twice, not even that of a row that somebody has
-- deleted: the order of positions is the order of commits.
CREATE TABLE trace (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    process  TEXT    NOT NULL,
    sequence INTEGER NOT NULL,
    computer TEXT    NOT NULL,
    -- The event as it is exported.
    line     TEXT    NOT NULL,
    UNIQUE (process, sequence)
) STRICT;

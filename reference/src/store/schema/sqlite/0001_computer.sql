-- One row for each computer: the fence, the order, and the body of its stored page together, so that one conditional
-- UPDATE is the whole decision on a save. The body makes rows long, so the table keeps its rowid.
CREATE TABLE computer (
    id          TEXT    NOT NULL PRIMARY KEY,
    -- The current incarnation; 0 until the first process registers.
    incarnation INTEGER NOT NULL CHECK (incarnation BETWEEN 0 AND 9007199254740991),
    -- Whether a reset is under way.
    resetting   INTEGER NOT NULL CHECK (resetting IN (0, 1)),
    -- The incarnation that the last reset opened; 0 if there was none.
    since       INTEGER NOT NULL CHECK (since BETWEEN 0 AND incarnation),
    -- The stored page under its own name, or nothing.
    stamp       INTEGER CHECK (stamp BETWEEN 1 AND incarnation),
    generation  INTEGER CHECK (generation BETWEEN 1 AND 9007199254740991),
    body        BLOB,
    CHECK ((stamp IS NULL) = (generation IS NULL) AND (stamp IS NULL) = (body IS NULL)),
    -- RESET-2: while a reset is under way there is no page, whoever writes.
    CHECK (resetting = 0 OR stamp IS NULL),
    -- SAVE-8: no page is from before the last reset, whoever writes.
    CHECK (stamp IS NULL OR stamp >= since)
) STRICT;

-- RESET-5: what a gateway looks through when it starts.
CREATE INDEX computer_resetting ON computer (id) WHERE resetting = 1;

-- What is started, stopped and deleted: one row for each computer on which something was ever begun, so that one
-- conditional UPDATE is the whole decision. Rows are short, so the table is its own index.
CREATE TABLE operation (
    id       TEXT    NOT NULL PRIMARY KEY REFERENCES computer (id),
    -- Counts the writes of the row.
    revision INTEGER NOT NULL CHECK (revision BETWEEN 1 AND 9007199254740991),
    phase    TEXT    NOT NULL
             CHECK (phase IN ('stopped', 'starting', 'ready', 'error', 'stopping', 'deleting', 'gone')),
    -- The newest start. Each was a write.
    launch   INTEGER NOT NULL CHECK (launch BETWEEN 0 AND revision),
    -- Whose the operation is that is under way. Older releases may have begun a start without saying so.
    owner    TEXT    CHECK (owner <> ''),
    -- How far the row has come in the order of the provider's reports.
    mark     INTEGER NOT NULL CHECK (mark BETWEEN 0 AND 9007199254740991),
    CHECK (owner IS NULL OR phase IN ('starting', 'stopping', 'deleting')),
    CHECK (owner IS NOT NULL OR phase NOT IN ('stopping', 'deleting')),
    -- What was never started can be stopped already, and be deleted, and nothing else.
    CHECK (launch > 0 OR phase IN ('stopped', 'deleting', 'gone'))
) STRICT, WITHOUT ROWID;

-- What a control plane looks through when it starts.
CREATE INDEX operation_under_way ON operation (id) WHERE phase IN ('starting', 'stopping', 'deleting');
-- What a sweep looks at.
CREATE INDEX operation_to_sweep ON operation (id) WHERE phase IN ('ready', 'error');

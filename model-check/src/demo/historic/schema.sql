-- One row per computer, as the stores of the incident kept it; `deleted` is what some of them remembered of a reset.
CREATE TABLE computers (
    computer         TEXT PRIMARY KEY,
    incarnation      INTEGER NOT NULL DEFAULT 0,
    resetting        INTEGER NOT NULL DEFAULT 0,
    since            INTEGER NOT NULL DEFAULT 0,
    page_incarnation INTEGER,
    page_generation  INTEGER,
    deleted          INTEGER NOT NULL DEFAULT 0
) STRICT;

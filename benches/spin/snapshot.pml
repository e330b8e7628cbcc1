/*
 * The right rules of the snapshot protocol once more, in Promela, for a second opinion by Spin. `run` measures both, and
 * README.md says which line here stands for what in spec/src/snapshot.
 *
 * One process with one `do`, and one option for each action with each of its values. So Spin can tell two states apart
 * only by what the Rust model tells them apart by. What is scratch is `hidden`, which keeps it out of the state.
 */

/* The bounds come with -D, as our bench prints them. What is fixed here is checked here. */
#if LIVES > 5 || INCARNATIONS > 5 || GENERATIONS > 7 || SAVES > 3 || ACTS > 2
#error "the bounds outgrew the fields below"
#endif
#if GATEWAYS != 2 || SHOWN != 1
#error "this is written for two gateways and one page shown"
#endif

/* ------------------------------------------------------------------------------------------------------- pages */

/* A save, the stored page, a page that was shown, and an act are each a page with a citation, and 0 is none. The stamp is
   what is said of its incarnation, `made_as` what its process knew itself as: that they agree is asserted, not built in. */
#define PAGE(stamp, generation, life, made_as) \
    ((stamp) | (generation) << 3 | (life) << 6 | (made_as) << 9)
#define STAMP(page)      ((page) & 7)
#define GENERATION(page) ((page) >> 3 & 7)
#define LIFE(page)       ((page) >> 6 & 7)
#define MADE_AS(page)    ((page) >> 9 & 7)
#define CITED(page)      ((page) & 63)

/* ------------------------------------------------------------------------------------------------------- state */

/* The store. */
byte current = 1;               /* store.incarnation */
bool is_resetting;              /* store.is_resetting */
byte since;                     /* store.since */
short stored;                   /* store.page */

/* The process. Incarnation 0 is none. */
byte life = 1;                  /* process.life */
byte own = 1;                   /* process.incarnation */
byte generation;                /* process.generation */
byte reply;                     /* process.reply */

/* The gateways, counted from 1: the incarnation that each has heard was wiped, or 0. */
byte heard[3];                  /* gateways */

/* What agents were shown. */
short shown;                    /* shown */

/* Messages, as sets. Sets of pages are sorted, and what is free comes last. */
byte calls;                     /* calls: a bit for each incarnation */
short saves[3];                 /* saves */
int questions;                  /* questions: see QUESTION */
byte wipes[3];                  /* wipes: by whom (0 is nobody), a bit for each incarnation */
short acts[2];                  /* acts */

/* The observer. */
byte first_unwiped;             /* ghost.first_unwiped */
byte first_kept;                /* ghost.first_kept */
bool owes_a_wipe;               /* ghost.owes_a_wipe */

#define BIT(incarnation)         (1 << (incarnation))
#define QUESTION(life, expected) (1 << ((expected) * 5 + (life) - 1))
#define QUESTIONS_ON(expected)   (31 << (expected) * 5)

/* How many bits are set. */
#define PAIRS(x)    ((x) - ((x) >> 1 & 1431655765))
#define QUADS(x)    ((PAIRS(x) & 858993459) + (PAIRS(x) >> 2 & 858993459))
#define BYTES(x)    (QUADS(x) + (QUADS(x) >> 4) & 252645135)
#define COUNT(x)    (BYTES(x) * 16843009 >> 24)
#define ALL_WIPES   (wipes[0] | wipes[1] << 8 | wipes[2] << 16)

/* ------------------------------------------------------------------------------------------------ what decides */

/* check_order */
#define IS_NEWER(page) \
    (stored == 0 || STAMP(page) != STAMP(stored) || GENERATION(page) > GENERATION(stored))
/* check_save */
#define MAY_LAND(page) \
    (!is_resetting && STAMP(page) == current && IS_NEWER(page))
/* check_act */
#define MAY_BE_PERFORMED(page) \
    (STAMP(page) == own && GENERATION(page) == generation)
/* check_resolve */
#define RESOLVES \
    (CITED(stored) == CITED(shown) && STAMP(stored) == current)
/* check_since */
#define IS_SINCE(page) \
    (STAMP(page) >= since)
/* properties::is_fresh */
#define IS_COVERED(page) \
    (stored != 0 && LIFE(stored) == LIFE(page) && GENERATION(stored) >= GENERATION(page))
#define IS_FRESH(page) \
    (LIFE(page) == life && own != 0 && MADE_AS(page) == own && MADE_AS(page) >= first_kept && !is_resetting && \
     !IS_COVERED(page))

/* ---------------------------------------------------------------------------------------------------- forgetting */

hidden int nameable;
hidden byte oldest_life;
hidden byte oldest_incarnation;

#define SAVE_IS_NEEDED(page) \
    (STAMP(page) == current && IS_NEWER(page) || IS_FRESH(page))
#define ACT_IS_NEEDED(page) \
    ((nameable & BIT(STAMP(page))) != 0 && !(own == STAMP(page) && GENERATION(page) < generation))

inline recall(page) {
    if
    :: page != 0 && LIFE(page) < oldest_life -> oldest_life = LIFE(page)
    :: else
    fi;
    if
    :: page != 0 && MADE_AS(page) < oldest_incarnation -> oldest_incarnation = MADE_AS(page)
    :: else
    fi
}

/* properties::forget_what_no_page_recalls */
inline forget_what_no_page_recalls() {
    if
    :: first_unwiped != 0 || first_kept != 0 ->
        oldest_life = life;
        oldest_incarnation = (reply != 0 -> reply : first_kept);
        if
        :: own != 0 && own < oldest_incarnation -> oldest_incarnation = own
        :: own == 0 && first_kept < oldest_incarnation -> oldest_incarnation = first_kept
        :: else
        fi;
        recall(stored);
        recall(shown);
        recall(saves[0]); recall(saves[1]); recall(saves[2]);
        recall(acts[0]); recall(acts[1]);
        if
        :: oldest_life >= first_unwiped -> first_unwiped = 0
        :: else
        fi;
        if
        :: oldest_incarnation >= first_kept -> first_kept = 0
        :: else
        fi
    :: else
    fi
}

/* Rules::forget */
inline forget() {
    questions = questions & QUESTIONS_ON(current);
    /* may_become: the process is it, is about to learn it, or the store is yet to mint it. */
    nameable = BIT(own) | BIT(reply) | 255 << (current + 1);
    calls = calls & nameable;
    wipes[0] = wipes[0] & nameable;
    wipes[1] = wipes[1] & nameable;
    wipes[2] = wipes[2] & nameable;
    if
    :: acts[1] != 0 && !ACT_IS_NEEDED(acts[1]) -> acts[1] = 0
    :: else
    fi;
    if
    :: acts[0] != 0 && !ACT_IS_NEEDED(acts[0]) -> acts[0] = acts[1]; acts[1] = 0
    :: else
    fi;
    if
    :: saves[2] != 0 && !SAVE_IS_NEEDED(saves[2]) -> saves[2] = 0
    :: else
    fi;
    if
    :: saves[1] != 0 && !SAVE_IS_NEEDED(saves[1]) -> saves[1] = saves[2]; saves[2] = 0
    :: else
    fi;
    if
    :: saves[0] != 0 && !SAVE_IS_NEEDED(saves[0]) -> saves[0] = saves[1]; saves[1] = saves[2]; saves[2] = 0
    :: else
    fi;
    if
    :: heard[1] != current -> heard[1] = 0
    :: else
    fi;
    if
    :: heard[2] != current -> heard[2] = 0
    :: else
    fi;
    if
    :: !IS_SINCE(shown) -> shown = 0
    :: else
    fi;
    forget_what_no_page_recalls()
}

/* -------------------------------------------------------------------------------- a process starts, and learns */

inline restart() {
    d_step {
        life < LIVES ->
        life++; own = 0; generation = 0; reply = 0;
        forget()
    }
}

inline ask() {
    d_step {
        own == 0 && !(questions & QUESTION(life, current)) && COUNT(questions) < QUESTIONS ->
        reply = 0;
        questions = questions | QUESTION(life, current)
    }
}

inline register(asker) {
    d_step {
        (questions & QUESTION(asker, current)) && current < INCARNATIONS ->
        current++;
        if
        :: asker == life -> reply = current
        :: else
        fi;
        forget()
    }
}

inline learn() {
    d_step {
        reply != 0 ->
        own = reply; reply = 0;
        forget()
    }
}

/* ------------------------------------------------------------------------------------- a snapshot and its save */

inline begin() {
    d_step {
        !(calls & BIT(current)) && COUNT(calls) < CALLS ->
        calls = calls | BIT(current)
    }
}

hidden short page;

inline answer() {
    d_step {
        own != 0 && (calls & BIT(own)) && generation < GENERATIONS && saves[SAVES - 1] == 0 ->
        generation++;
        page = PAGE(own, generation, life, own);
        if
        :: page == saves[0] || page == saves[1] || page == saves[2]
        :: else ->
            if
            :: page > saves[0] -> saves[2] = saves[1]; saves[1] = saves[0]; saves[0] = page
            :: else ->
                if
                :: page > saves[1] -> saves[2] = saves[1]; saves[1] = page
                :: else -> saves[2] = page
                fi
            fi
        fi;
        forget()
    }
}

inline save(place) {
    d_step {
        saves[place] != 0 && MAY_LAND(saves[place]) ->
        page = saves[place];
        /* SAVE-4 page-never-goes-back */
        assert(stored == 0 || LIFE(page) > LIFE(stored) ||
               LIFE(page) == LIFE(stored) && GENERATION(page) >= GENERATION(stored));
        /* SAVE-7 rollback-is-what-loads */
        assert(LIFE(page) < first_unwiped || MADE_AS(page) >= first_kept);
        stored = page;
        forget()
    }
}

/* ----------------------------------------------------------------------------------------------------- a reset */

inline claim(gateway) {
    d_step {
        gateway != 0 && !is_resetting ->
        stored = 0; is_resetting = true; owes_a_wipe = true;
        forget()
    }
}

inline send_wipe(gateway) {
    d_step {
        is_resetting && !(wipes[gateway] & BIT(current)) && COUNT(ALL_WIPES) < WIPES ->
        wipes[gateway] = wipes[gateway] | BIT(current)
    }
}

/* Some counters survive the wipe, some start again. */
inline wipe(by, counts_on) {
    d_step {
        own != 0 && (wipes[by] & BIT(own)) && life < LIVES && (!(counts_on) || generation != 0) ->
        /* RESET-3 wipes-are-claimed */
        assert(is_resetting);
        if
        :: by != 0 -> heard[by] = own
        :: else
        fi;
        life++; own = 0; reply = 0;
        generation = (counts_on -> generation : 0);
        first_unwiped = life; owes_a_wipe = false;
        forget()
    }
}

inline finish(gateway) {
    d_step {
        is_resetting && heard[gateway] == current && current < INCARNATIONS ->
        /* RESET-4 reset-has-wiped */
        assert(!owes_a_wipe);
        is_resetting = false;
        current++; since = current;
        heard[gateway] = 0;
        forget()
    }
}

/* Dies, and is back without its memory; its wipes are still about, and nobody waits for them. */
inline crash(gateway) {
    d_step {
        heard[gateway] != 0 || wipes[gateway] != 0 ->
        heard[gateway] = 0;
        wipes[0] = wipes[0] | wipes[gateway]; wipes[gateway] = 0
    }
}

/* -------------------------------------------------------------------- a page is looked at, acted on, gone back to */

inline load() {
    d_step {
        stored != 0 && shown == 0 ->
        shown = stored
    }
}

inline discard() {
    d_step {
        shown != 0 ->
        shown = 0
    }
}

inline resolve() {
    d_step {
        shown != 0 && acts[ACTS - 1] == 0 && RESOLVES ->
        /* RESET-6 no-wiped-page-resolves, resolves-only-current */
        assert(LIFE(stored) >= first_unwiped && MADE_AS(stored) == current);
        if
        :: stored == acts[0] || stored == acts[1]
        :: else ->
            if
            :: stored > acts[0] -> acts[1] = acts[0]; acts[0] = stored
            :: else -> acts[1] = stored
            fi
        fi
    }
}

inline rollback() {
    d_step {
        shown != 0 && !is_resetting && IS_SINCE(shown) && current < INCARNATIONS ->
        first_kept = current + 1;
        stored = shown;
        current++;
        forget()
    }
}

/* ------------------------------------------------------------------------------- steps that change nothing here */

/* Spin gains nothing by them, and LEAN leaves them out. With them, Spin takes as many steps as our search, so that a step
   which only one of the two has shows. What they may not do is asserted of the state, below. */

inline perform(act)             { act != 0 && MAY_BE_PERFORMED(act) }
inline load_nothing()           { stored == 0 && shown == 0 }
inline refuse_late_register()   { current != 0 }
inline refuse_answer(stamp)     { (calls & BIT(stamp)) && own != stamp }
inline refuse_save(page)        { page != 0 && !MAY_LAND(page) }
inline refuse_late_claim(by)    { by != 0 }
inline refuse_wipe(by, wiped)   { (wipes[by] & BIT(wiped)) && own != wiped }
inline refuse_finish(gateway)   { !(is_resetting && heard[gateway] == current) }
inline refuse_resolve()         { shown != 0 && !RESOLVES }
inline refuse_perform(act)      { act != 0 && !MAY_BE_PERFORMED(act) }
inline refuse_rollback()        { shown != 0 && (is_resetting || !IS_SINCE(shown)) }
inline refuse_late_rollback()   { shown != 0 && !is_resetting }

/* ---------------------------------------------------------------------------------------------- what must hold */

/* SAVE-1 stamp-is-true, RESTART-2 lives-do-not-share */
#define IS_TRUE(page) \
    (page == 0 || STAMP(page) == MADE_AS(page) && (MADE_AS(page) != own || LIFE(page) == life))
/* RESTART-3 fresh-save-lands */
#define IS_HEARD(page) \
    (page == 0 || !IS_FRESH(page) || MAY_LAND(page))
/* RESTART-5 acts-for-the-living-life */
#define ACTS_FOR_THE_LIVING(page) \
    (page == 0 || !MAY_BE_PERFORMED(page) || LIFE(page) == life)

#define HOLDS \
    ((stored == 0 || LIFE(stored) >= first_unwiped) /* SAVE-3 no-wiped-page-is-stored */ && \
     IS_TRUE(stored) && IS_TRUE(saves[0]) && IS_TRUE(saves[1]) && IS_TRUE(saves[2]) && \
     IS_HEARD(saves[0]) && IS_HEARD(saves[1]) && IS_HEARD(saves[2]) && \
     ACTS_FOR_THE_LIVING(acts[0]) && ACTS_FOR_THE_LIVING(acts[1]))

/* An option for each incarnation. */
#define EACH_INCARNATION(option) \
    option(1) option(2) option(3) option(4) option(5)
#define REFUSE_ANSWER(stamp)       :: refuse_answer(stamp)
#define REFUSE_WIPE_OF_NOBODY(own) :: refuse_wipe(0, own)
#define REFUSE_WIPE_OF_FIRST(own)  :: refuse_wipe(1, own)
#define REFUSE_WIPE_OF_SECOND(own) :: refuse_wipe(2, own)

active proctype snapshot() {
end:
    do
    :: restart()
    :: ask()
    :: register(1)
    :: register(2)
    :: register(3)
    :: register(4)
    :: register(5)
    :: learn()
    :: begin()
    :: answer()
    :: save(0)
    :: save(1)
    :: save(2)
    :: claim(1)
    :: send_wipe(1)
    :: send_wipe(2)
    :: wipe(0, false)
    :: wipe(0, true)
    :: wipe(1, false)
    :: wipe(1, true)
    :: wipe(2, false)
    :: wipe(2, true)
    :: finish(1)
    :: finish(2)
    :: crash(1)
    :: crash(2)
    :: load()
    :: discard()
    :: resolve()
    :: rollback()
#ifndef LEAN
    :: claim(2)
    :: load_nothing()
    :: perform(acts[0])
    :: perform(acts[1])
    :: refuse_late_register()
    EACH_INCARNATION(REFUSE_ANSWER)
    :: refuse_save(saves[0])
    :: refuse_save(saves[1])
    :: refuse_save(saves[2])
    :: refuse_late_claim(1)
    :: refuse_late_claim(2)
    EACH_INCARNATION(REFUSE_WIPE_OF_NOBODY)
    EACH_INCARNATION(REFUSE_WIPE_OF_FIRST)
    EACH_INCARNATION(REFUSE_WIPE_OF_SECOND)
    :: refuse_finish(1)
    :: refuse_finish(2)
    :: refuse_resolve()
    :: refuse_perform(acts[0])
    :: refuse_perform(acts[1])
    :: refuse_rollback()
    :: refuse_late_rollback()
#endif
    /* Once in each state, as a step that is never taken. */
    :: d_step { !HOLDS -> assert(false) }
    od
}

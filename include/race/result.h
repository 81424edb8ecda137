/*
 * Result files: what the agent writes and `race report` reads.
 *
 * One JSON object per line, appended and flushed line by line, so that a killed JVM loses at most the line it
 * was writing; the reader ignores a last line without its newline that does not parse.  Unknown keys and
 * unknown types are ignored, so that an older `race report` can read a newer agent's file.  Class names are
 * binary names with dots ("pkg.Outer$Inner"); frames look like Java's own,
 * "pkg.Outer$Inner.m(Outer.java:12)".
 *
 * header, the first line of each JVM; one file may hold several, one after the other:
 *     {"type":"header","tool":"race","version":"0.1.0","pid":n,"time":"2026-01-31T12:00:00Z","mode":"full",
 *      "plan":"file" or null,"plan_digest":"16 hex digits" or null,"jdk":"17.0.15","main":"command line"}
 *   `plan_digest` is plan.digest of the plan in use; evidence counts only for the plan that it was made with.
 *
 * race, as soon as it is confirmed, and once more at exit with the final count if that has grown (the larger
 * count of equal races of one JVM counts):
 *     {"type":"race","kind":"instance|static|array|container","field":"pkg.Outer.Inner.f","count":n,
 *      "value":"36" or absent,"test":"pkg.FooTest.bar" or absent,"accesses":[ACCESS,ACCESS]}
 *   `field` is spelled by plan_location_text().  `value` is what the variable held just before the later
 * access, in Java's spelling; of an object other than a string its class.  The access that came first in time
 * stands first. ACCESS: {"access":"read|write","class":"pkg.C","method":"m","desc":"()V","line":12 (-1:
 * none),"file":"C.java" or null,
 *      "bci":7,"thread":{"name":"t1","created":["frame",...]},"locks":[{"class":"java.lang.Object",
 *      "acquired":"frame" or null}],"locks_known":false (absent: true; then `locks` is all that was held),
 *      "stack":["frame",... innermost first]}
 *
 * ran, at exit, with a plan: the numbers of its sites that ran.  A plan may have a million pairs, of which
 * few meet; this tells of all others of which a side or both ran.
 *     {"type":"ran","sites":[n,...]}
 *
 * evidence, at exit, one per pair of the plan that met; counts of this JVM alone:
 *     {"type":"evidence","pair":ID,"met":n,"raced":n,
 *      "ordered":{"lock":n,"volatile":n,"start_join":n,"handoff":n},"lock":"class" or null,
 *      "volatile":"pkg.C.f, ..." or null,"handoff":"class, ..." or null,"predicted":n}
 *   `met` counts the times both touched one location from two threads, `raced` how many of these were
 * unordered; `ordered` says by what the others were ordered (`lock`, `volatile`, `handoff`: by which),
 * `predicted` how many of them only by accident of the schedule.
 *
 * stale, when a class differs from the plan's and is checked in full:
 *     {"type":"stale","class":"pkg.C"}
 *
 * breach, at most one per JVM: a class that the plan does not know called a method without a lock that the
 * proofs take for granted, or a method ran of which the analysis saw no call (then `requires` and `caller`
 * are null), and from then on the classes of the plan are checked in full:
 *     {"type":"breach","class":"pkg.C","method":"m","requires":"this.lock","caller":"pkg.X","classes":n,
 *      "stack":["frame",... innermost first]}
 *   `classes` is how many classes of the plan were changed while they were loaded.
 *
 * owner, at exit of a run in mode discover, one per field of which an object was sampled:
 *     {"type":"owner","class":"pkg.C","field":"f","owner":"thisThread|readonly|self|this.g|pkg.C.class|none",
 *      "objects":n,"shared":n,"accesses":n}
 *   `class` declares the field; `owner` is what all samples agree on; `shared` counts the sampled objects
 *   that two threads used.
 *
 * summary, the last line of a JVM that ended in the normal way:
 *     {"type":"summary","instrumented_sites":n,"total_sites":n,"classes":n,"races":n,
 *      "skipped":{"reason":n,...},"full_methods":n,"site_overflow":n,"degraded":{"what":n,...},...}
 *   `skipped` counts classes left unchecked by reason, `full_methods` methods that could not take the checks,
 *   `site_overflow` sites without a number, `degraded` what the checker gave up to stay within its memory,
 *   `suppressed` races that the agent left out (option suppress), `delayed_us` the delays of option confirm.
 *   Other numbers are for people.
 */
#ifndef RACE_RESULT_H
#define RACE_RESULT_H

#define RESULT_HEADER "header"
#define RESULT_RACE "race"
#define RESULT_RAN "ran"
#define RESULT_EVIDENCE "evidence"
#define RESULT_STALE "stale"
#define RESULT_BREACH "breach"
#define RESULT_OWNER "owner"
#define RESULT_SUMMARY "summary"

/* How two accesses that met were ordered: the keys of "ordered". */
enum result_order { RESULT_BY_LOCK, RESULT_BY_VOLATILE, RESULT_BY_START_JOIN, RESULT_BY_HANDOFF };
enum { RESULT_N_ORDERS = RESULT_BY_HANDOFF + 1 };
#define RESULT_ORDER_NAMES                                                                                   \
    { "lock", "volatile", "start_join", "handoff" }

#endif

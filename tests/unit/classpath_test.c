/* The class path: what is found where, in which order, and what happens to archives that lie. */
#include "race/classpath.h"

#include <dirent.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zip.h>
#include <cmocka.h>

/* Each test works in a fresh directory, its current one. */
static int enter_directory(void **state) {
    char name[] = "/tmp/race-classpath-XXXXXX";
    if (mkdtemp(name) == NULL || chdir(name) != 0) return -1;
    *state = strdup(name);
    return 0;
}

static int leave_directory(void **state) {
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", (char *)*state);
    free(*state);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static void make_directories(const char *path) {
    char copy[512];
    snprintf(copy, sizeof copy, "%s", path);
    for (char *p = strchr(copy, '/'); p != NULL; p = strchr(p + 1, '/')) {
        *p = '\0';
        mkdir(copy, 0777);
        *p = '/';
    }
}

static void write_bytes(const char *path, const void *data, size_t size) {
    make_directories(path);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static void write_text(const char *path, const char *text) {
    write_bytes(path, text, strlen(text));
}

/* A jar of (name, content) pairs that end with NULL; content "@file" is taken from that file. */
static void write_jar(const char *path, ...) {
    make_directories(path);
    int code;
    zip_t *z = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code);
    assert_non_null(z);
    va_list ap;
    va_start(ap, path);
    for (const char *name; (name = va_arg(ap, const char *)) != NULL;) {
        const char *content = va_arg(ap, const char *);
        zip_source_t *src = content[0] == '@' ? zip_source_file(z, content + 1, 0, -1)
                                              : zip_source_buffer(z, content, strlen(content), 0);
        assert_true(zip_file_add(z, name, src, ZIP_FL_OVERWRITE) >= 0);
    }
    va_end(ap);
    assert_int_equal(zip_close(z), 0);
}

static struct classpath *open_path(const char *path) {
    struct race_error err = {0};
    struct classpath_options options = {.path = path, .no_jdk = true};
    struct classpath *cp = classpath_open(&options, &err);
    if (cp == NULL) fail_msg("%s: %s", err.file, err.what);
    return cp;
}

static struct classpath *open_with_jdk(const char *path, const char *home) {
    struct race_error err = {0};
    struct classpath_options options = {.path = path, .jdk_home = home};
    struct classpath *cp = classpath_open(&options, &err);
    if (cp == NULL) fail_msg("%s: %s", err.file, err.what);
    return cp;
}

static void expect_class(const struct classpath *cp, const char *name, const char *content,
                         const char *origin) {
    struct race_error err = {0};
    struct classpath_bytes bytes;
    const struct classpath_class *c = classpath_find(cp, name);
    if (c == NULL) fail_msg("%s is not on the class path", name);
    if (!classpath_read(cp, c, &bytes, &err)) fail_msg("%s: %s", err.file, err.what);
    assert_int_equal(bytes.size, strlen(content));
    assert_memory_equal(bytes.data, content, bytes.size);
    assert_string_equal(bytes.origin, origin);
    classpath_bytes_release(&bytes);
}

static void expect_open_error(const char *path, const char *line) {
    struct race_error err = {0};
    struct classpath_options options = {.path = path, .no_jdk = true};
    assert_null(classpath_open(&options, &err));
    char text[512];
    race_error_format(&err, text, sizeof text);
    assert_string_equal(text, line);
    assert_int_equal(err.exit_code, RACE_EXIT_INPUT);
}

static void expect_read_error(const struct classpath *cp, const char *name, const char *line) {
    struct race_error err = {0};
    struct classpath_bytes bytes;
    assert_non_null(classpath_find(cp, name));
    assert_false(classpath_read(cp, classpath_find(cp, name), &bytes, &err));
    assert_null(bytes.data);
    char text[512];
    race_error_format(&err, text, sizeof text);
    assert_string_equal(text, line);
    assert_int_equal(err.exit_code, RACE_EXIT_INPUT);
}

/* ---- what is found ---- */

static void the_first_definition_wins(void **state) {
    (void)state;
    write_text("a/p/X.class", "X of a");
    write_text("a/META-INF/versions/9/p/X.class", "not from a directory");
    write_jar("b.jar", "p/X.class", "X of b", "p/Y.class", "Y of b", "module-info.class", "m", NULL);
    write_text("c/p/Y.class", "Y of c");
    struct classpath *cp = open_path("a/:gone:b.jar:c:a:b.jar");
    expect_class(cp, "p/X", "X of a", "a/p/X.class");
    expect_class(cp, "p/Y", "Y of b", "b.jar!/p/Y.class");
    assert_null(classpath_find(cp, "p/Z"));
    assert_null(classpath_find(cp, "p/"));
    assert_int_equal(classpath_class_count(cp, CLASSPATH_APP), 2);
    assert_string_equal(classpath_class_at(cp, CLASSPATH_APP, 0)->name, "p/X");
    assert_false(classpath_is_jdk(cp, "p/X"));
    assert_int_equal(classpath_missing_count(cp), 1);
    assert_string_equal(classpath_missing(cp, 0), "gone");
    classpath_free(cp);
}

static void a_wildcard_means_all_jars(void **state) {
    (void)state;
    write_jar("lib/b.jar", "X.class", "b", NULL);
    write_jar("lib/a.JAR", "X.class", "a", "Y.class", "y", NULL);
    write_text("lib/Z.class", "only jars count");
    struct classpath *cp = open_path("lib/*");
    expect_class(cp, "X", "a", "lib/a.JAR!/X.class");
    expect_class(cp, "Y", "y", "lib/a.JAR!/Y.class");
    assert_null(classpath_find(cp, "Z"));
    classpath_free(cp);
}

static void manifests_insert_their_class_path(void **state) {
    (void)state;
    write_jar("d/main.jar", "META-INF/MANIFEST.MF",
              "Manifest-Version: 1.0\r\nClass-Path: lib/one.j\r\n ar with%20space.jar gone.jar classes/\r\n"
              "  http://x/y.jar main.jar\r\n\r\nName: x\r\nClass-Path: never.jar\r\n",
              "M.class", "m", NULL);
    write_jar("d/lib/one.jar", "X.class", "one", "W.class", "one", NULL);
    write_jar("d/with space.jar", "X.class", "space", "W.class", "space", "V.class", "space", NULL);
    write_text("d/classes/C.class", "c");
    write_jar("last.jar", "X.class", "last", "L.class", "last", NULL);
    write_jar("d/never.jar", "N.class", "n", NULL);
    struct classpath *cp = open_path("d/main.jar:last.jar");
    expect_class(cp, "X", "one", "d/lib/one.jar!/X.class");
    expect_class(cp, "V", "space", "d/with space.jar!/V.class");
    expect_class(cp, "C", "c", "d/classes/C.class");
    expect_class(cp, "L", "last", "last.jar!/L.class");
    assert_null(classpath_find(cp, "N"));
    assert_int_equal(classpath_missing_count(cp), 0);
    classpath_free(cp);
}

static void boot_jars_and_web_archives_hold_applications(void **state) {
    (void)state;
    write_jar("in.jar", "q/L.class", "library", "q/A.class", "shadowed", NULL);
    write_jar("boot.jar", "org/Loader.class", "loader", "BOOT-INF/classes/q/A.class", "app",
              "BOOT-INF/lib/in.jar", "@in.jar", NULL);
    write_jar("app.war", "WEB-INF/lib/in.jar", "@in.jar", "WEB-INF/classes/q/W.class", "web", NULL);
    struct classpath *cp = open_path("boot.jar");
    expect_class(cp, "org/Loader", "loader", "boot.jar!/org/Loader.class");
    expect_class(cp, "q/A", "app", "boot.jar!/BOOT-INF/classes/q/A.class");
    expect_class(cp, "q/L", "library", "boot.jar!/BOOT-INF/lib/in.jar!/q/L.class");
    assert_int_equal(classpath_class_count(cp, CLASSPATH_APP), 3);
    classpath_free(cp);
    cp = open_path("app.war");
    expect_class(cp, "q/W", "web", "app.war!/WEB-INF/classes/q/W.class");
    expect_class(cp, "q/A", "shadowed", "app.war!/WEB-INF/lib/in.jar!/q/A.class");
    classpath_free(cp);
    /* Unpacked, it is the same application. */
    write_text("dir/WEB-INF/classes/q/W.class", "web");
    write_jar("dir/WEB-INF/lib/x.jar", "q/A.class", "a", NULL);
    cp = open_path("dir");
    expect_class(cp, "q/W", "web", "dir/WEB-INF/classes/q/W.class");
    expect_class(cp, "q/A", "a", "dir/WEB-INF/lib/x.jar!/q/A.class");
    assert_int_equal(classpath_class_count(cp, CLASSPATH_APP), 2);
    classpath_free(cp);
}

static void multi_release_jars_follow_the_jdk(void **state) {
    (void)state;
    const char *manifest = "Manifest-Version: 1.0\nMulti-Release: true\n";
    write_jar("mr.jar", "META-INF/versions/11/X.class", "11", "X.class", "base", "META-INF/MANIFEST.MF",
              manifest, "META-INF/versions/9/X.class", "9", "META-INF/versions/999/X.class", "999",
              "META-INF/versions/10/New.class", "new", "META-INF/versions/8/Old.class", "no", NULL);
    write_jar("plain.jar", "X.class", "base", "META-INF/versions/9/X.class", "9", NULL);
    struct classpath *cp = open_with_jdk("mr.jar", NULL);
    expect_class(cp, "X", "11", "mr.jar!/META-INF/versions/11/X.class");
    expect_class(cp, "New", "new", "mr.jar!/META-INF/versions/10/New.class");
    assert_null(classpath_find(cp, "Old"));
    classpath_free(cp);
    cp = open_with_jdk("plain.jar", NULL);
    expect_class(cp, "X", "base", "plain.jar!/X.class");
    classpath_free(cp);
}

/* ---- the JDK ---- */

#define CHECK(condition)                                                                                     \
    if (!(condition)) return #condition

/* NULL, or what is wrong; also runs where cmocka cannot help. */
static const char *check_jdk(const struct classpath *cp, const char *object_path) {
    const struct classpath_class *c = classpath_find(cp, "java/lang/String");
    CHECK(c != NULL && strcmp(c->module, "java.base") == 0);
    CHECK(classpath_is_jdk(cp, "java/util/concurrent/locks/ReentrantLock"));
    CHECK(classpath_class_count(cp, CLASSPATH_JDK) > 5000);
    CHECK(classpath_class_count(cp, CLASSPATH_JDK_MODULES) > 5);
    CHECK(classpath_jdk_release(cp) >= 17);
    struct race_error err = {0};
    struct classpath_bytes bytes;
    CHECK(classpath_read(cp, classpath_find(cp, "java/lang/Object"), &bytes, &err));
    CHECK(strcmp(bytes.origin, "jrt:/java.base/java/lang/Object.class") == 0);
    CHECK(memcmp(bytes.data, "\xca\xfe\xba\xbe", 4) == 0);
    /* The class files of a JDK have its own version: the release was read rightly. */
    CHECK(bytes.data[7] == classpath_jdk_release(cp) + 44);
    write_bytes(object_path, bytes.data, bytes.size);
    classpath_bytes_release(&bytes);
    CHECK(classpath_read(cp, classpath_class_at(cp, CLASSPATH_JDK_MODULES, 0), &bytes, &err));
    classpath_bytes_release(&bytes);
    for (size_t i = 1; i < classpath_class_count(cp, CLASSPATH_JDK); i++)
        CHECK(strcmp(classpath_class_at(cp, CLASSPATH_JDK, i - 1)->name,
                     classpath_class_at(cp, CLASSPATH_JDK, i)->name) != 0);
    return NULL;
}

static void the_jdk_beats_the_path(void **state) {
    (void)state;
    write_text("a/java/lang/Object.class", "impostor");
    write_text("a/X.class", "x");
    struct classpath *cp = open_with_jdk("a", NULL);
    assert_true(classpath_is_jdk(cp, "java/lang/Object"));
    assert_int_equal(classpath_class_count(cp, CLASSPATH_APP), 1);
    const char *problem = check_jdk(cp, "Object.class");
    if (problem != NULL) fail_msg("%s", problem);
    classpath_free(cp);
}

/* A process can read one JDK only, so each gets its own: this program again, with the home as its argument.
 */
static bool check_in_child(const char *home) {
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        execl("/proc/self/exe", "classpath_test", home, (char *)NULL);
        _exit(1);
    }
    int status = -1;
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static int check_home(const char *home) {
    struct race_error err = {0};
    struct classpath_options options = {.jdk_home = home};
    struct classpath *cp = classpath_open(&options, &err);
    const char *problem = cp != NULL ? check_jdk(cp, "Object.class") : err.what;
    if (problem != NULL) fprintf(stderr, "%s: %s\n", home, problem);
    classpath_free(cp);
    return problem != NULL;
}

/* Every JDK installed beside the default one; symbolic links to them as well. */
static void any_jdk_home_will_do(void **state) {
    (void)state;
    struct classpath *cp = open_with_jdk(NULL, NULL);
    char folder[1024], path[2048];
    snprintf(folder, sizeof folder, "%s/..", classpath_jdk_home(cp));
    classpath_free(cp);
    DIR *d = opendir(folder);
    assert_non_null(d);
    unsigned checked = 0;
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s/lib/modules", folder, e->d_name);
        if (e->d_name[0] == '.' || access(path, R_OK) != 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        assert_true(check_in_child(path));
        checked++;
    }
    closedir(d);
    assert_true(checked > 0);
}

static void what_is_no_jdk_is_said(void **state) {
    (void)state;
    struct race_error err = {0};
    struct classpath_options options = {.jdk_home = "nowhere"};
    assert_null(classpath_open(&options, &err));
    assert_string_equal(err.file, "nowhere");
    assert_string_equal(err.what, "not the home of a JDK 9 or later: there is no lib/modules in it");
}

static void a_lone_class_file_is_an_element(void **state) {
    (void)state;
    struct classpath *cp = open_with_jdk(NULL, NULL);
    assert_null(check_jdk(cp, "sub/Any.class"));
    classpath_free(cp);
    cp = open_path("sub/Any.class");
    assert_int_equal(classpath_class_count(cp, CLASSPATH_APP), 1);
    char *origin = classpath_origin(cp, classpath_find(cp, "java/lang/Object"));
    assert_string_equal(origin, "sub/Any.class");
    free(origin);
    classpath_free(cp);
    write_text("Bad.class", "no class at all");
    struct race_error err = {0};
    struct classpath_options options = {.path = "Bad.class", .no_jdk = true};
    assert_null(classpath_open(&options, &err));
    assert_string_equal(err.file, "Bad.class");
}

/* ---- services ---- */

static bool has_name(const struct classpath_names *names, const char *name) {
    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->v[i], name) == 0) return true;
    return false;
}

static void providers_are_listed_once(void **state) {
    (void)state;
    write_text("a/META-INF/services/p.Outer$S", "# comment\n  q.One # first\n\nq.Two$Inner\r\n");
    write_jar("b.jar", "META-INF/services/p.Outer$S", "q.Two$Inner\nq.Three", NULL);
    struct classpath *cp = open_with_jdk("a:b.jar", NULL);
    struct classpath_names names = {0};
    struct race_error err = {0};
    assert_true(classpath_providers(cp, "p/Outer$S", &names, &err));
    assert_int_equal(names.n, 3);
    assert_string_equal(names.v[0], "q/One");
    assert_string_equal(names.v[1], "q/Two$Inner");
    assert_string_equal(names.v[2], "q/Three");
    classpath_names_release(&names);
    assert_true(classpath_providers(cp, "java/nio/file/spi/FileSystemProvider", &names, &err));
    assert_true(has_name(&names, "jdk/nio/zipfs/ZipFileSystemProvider"));
    classpath_names_release(&names);
    classpath_free(cp);
}

/* Names of classes on the path, from directories and archives, whatever stands around them; words are none.
 */
static void classes_that_texts_name(void **state) {
    (void)state;
    write_text("a/p/One.class", "");
    write_text("a/p/One$In.class", "");
    write_text("a/p/Two.class", "");
    write_text("a/p/Three.class", "");
    write_text("a/Main.class", "");
    write_text("a/p/list.properties", "one = p.One,p.One$In\nno=p.Threes Main p.None java.lang.String\n");
    write_text("a/readme.txt", "p.Three is not configured");
    write_jar("b.jar", "conf/x.xml", "<bean class=\"p.Two\"/><bean class='p.One'/>", "META-INF/services/p.S",
              "q.Four\n", "q/Four.class", "", NULL);
    struct classpath *cp = open_with_jdk("a:b.jar", NULL);
    struct classpath_mentions names = {0};
    struct race_error err = {0};
    assert_true(classpath_named_classes(cp, &names, &err));
    static const struct {
        const char *name;
        uint32_t element; /* 1: a, 2: b.jar */
    } wanted[] = {{"p/One", 1}, {"p/One", 2}, {"p/One$In", 1}, {"p/Two", 2}, {"q/Four", 2}};
    assert_int_equal(names.n, 5);
    for (size_t i = 0; i < names.n; i++) {
        assert_string_equal(names.v[i].name, wanted[i].name);
        assert_int_equal(names.v[i].element, wanted[i].element);
    }
    classpath_mentions_release(&names);
    classpath_free(cp);
}

/* ---- bad archives ---- */

static uint8_t *read_whole(const char *path, size_t *size) {
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    uint8_t *buf = malloc(1 << 20);
    *size = fread(buf, 1, 1 << 20, f);
    fclose(f);
    return buf;
}

/* Sets the declared size of the only entry, in its local header and in the directory. */
static void declare_size(const char *path, uint32_t declared) {
    size_t size;
    uint8_t *jar = read_whole(path, &size);
    for (size_t i = 0; i + 28 < size; i++) {
        bool local = memcmp(jar + i, "PK\3\4", 4) == 0, central = memcmp(jar + i, "PK\1\2", 4) == 0;
        if (local || central) memcpy(jar + i + (local ? 22 : 24), &declared, 4);
    }
    write_bytes(path, jar, size);
    free(jar);
}

static void archives_that_lie_are_found_out(void **state) {
    (void)state;
    char text[3000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    write_jar("big.jar", "X.class", text, NULL);
    declare_size("big.jar", 0xfffffffe);
    struct classpath *cp = open_path("big.jar");
    expect_read_error(cp, "X",
                      "race: big.jar!/X.class: declared size of 4294967294 bytes is more than the 64 MB "
                      "allowed for a class");
    classpath_free(cp);
    write_jar("short.jar", "X.class", text, NULL);
    declare_size("short.jar", 5000);
    cp = open_path("short.jar");
    struct race_error err = {0};
    struct classpath_bytes bytes;
    assert_false(classpath_read(cp, classpath_find(cp, "X"), &bytes, &err));
    assert_string_equal(err.file, "short.jar!/X.class");
    classpath_free(cp);
    write_jar("long.jar", "X.class", text, NULL);
    declare_size("long.jar", 100);
    cp = open_path("long.jar");
    err = (struct race_error){0};
    assert_false(classpath_read(cp, classpath_find(cp, "X"), &bytes, &err));
    assert_string_equal(err.file, "long.jar!/X.class");
    classpath_free(cp);
}

static void corrupt_archives_give_one_error(void **state) {
    (void)state;
    write_jar("crc.jar", "X.class", "abcdef", NULL);
    size_t size;
    uint8_t *jar = read_whole("crc.jar", &size);
    uint8_t *at = memmem(jar, size, "abcdef", 6);
    assert_non_null(at); /* so short that it is stored as it is */
    *at = 'z';
    write_bytes("crc.jar", jar, size);
    struct classpath *cp = open_path("crc.jar");
    expect_read_error(cp, "X", "race: crc.jar!/X.class: corrupt entry: CRC error");
    classpath_free(cp);
    write_bytes("cut.jar", jar, size / 2);
    free(jar);
    expect_open_error("cut.jar", "race: cut.jar: not a zip archive");
    write_text("empty.jar", "");
    expect_open_error("empty.jar", "race: empty.jar: not a zip archive");
    write_jar("outer.jar", "BOOT-INF/lib/in.jar", "no zip", NULL);
    expect_open_error("outer.jar", "race: outer.jar!/BOOT-INF/lib/in.jar: not a zip archive");
    expect_open_error("gone.jar", "race: gone.jar: no such file or directory");
}

/* ---- threads ---- */

enum { N_THREADS = 4, N_CLASSES = 200 };

static void *read_everything(void *arg) {
    const struct classpath *cp = arg;
    intptr_t wrong = 0;
    for (int i = 0; i < N_CLASSES; i++) {
        struct race_error err = {0};
        struct classpath_bytes bytes;
        char name[32];
        snprintf(name, sizeof name, "C%d", i);
        if (!classpath_read(cp, classpath_find(cp, name), &bytes, &err)) {
            wrong++;
            continue;
        }
        if (bytes.size != strlen(name) || memcmp(bytes.data, name, bytes.size) != 0) wrong++;
        classpath_bytes_release(&bytes);
    }
    return (void *)wrong;
}

static void many_threads_may_read(void **state) {
    (void)state;
    int code;
    static char names[N_CLASSES][16];
    zip_t *z = zip_open("t.jar", ZIP_CREATE, &code);
    for (int i = 0; i < N_CLASSES; i++) {
        char entry[32];
        int n = snprintf(names[i], sizeof names[i], "C%d", i);
        snprintf(entry, sizeof entry, "C%d.class", i);
        assert_true(zip_file_add(z, entry, zip_source_buffer(z, names[i], (size_t)n, 0), 0) >= 0);
    }
    assert_int_equal(zip_close(z), 0);
    struct classpath *cp = open_path("t.jar");
    pthread_t threads[N_THREADS];
    for (int i = 0; i < N_THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, read_everything, cp), 0);
    for (int i = 0; i < N_THREADS; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
    classpath_free(cp);
}

#define IN_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, enter_directory, leave_directory)

int main(int argc, char **argv) {
    if (argc == 2) return check_home(argv[1]);
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(the_first_definition_wins),
        IN_DIRECTORY(a_wildcard_means_all_jars),
        IN_DIRECTORY(manifests_insert_their_class_path),
        IN_DIRECTORY(boot_jars_and_web_archives_hold_applications),
        IN_DIRECTORY(multi_release_jars_follow_the_jdk),
        IN_DIRECTORY(the_jdk_beats_the_path),
        IN_DIRECTORY(any_jdk_home_will_do),
        IN_DIRECTORY(what_is_no_jdk_is_said),
        IN_DIRECTORY(a_lone_class_file_is_an_element),
        IN_DIRECTORY(providers_are_listed_once),
        IN_DIRECTORY(classes_that_texts_name),
        IN_DIRECTORY(archives_that_lie_are_found_out),
        IN_DIRECTORY(corrupt_archives_give_one_error),
        IN_DIRECTORY(many_threads_may_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

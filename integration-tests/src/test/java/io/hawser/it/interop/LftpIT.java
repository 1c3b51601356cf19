package io.hawser.it.interop;

import org.junit.jupiter.api.Test;

/** lftp. */
class LftpIT extends Recipes {
    private static final String LFTP =
            "go() { lftp -c \"set net:max-retries 2; set net:timeout 20; set ftp:passive-mode on; open -u anonymous,x -p $PORT $HOST; $1\"; }\n";

    private void lftp(String script) throws Exception {
        recipe("lftp", LFTP + script);
    }

    @Test
    void l1PutAndGetKeepTheTime() throws Exception {
        lftp(
                "touch -d '2020-01-02 03:04:05 UTC' f1k; go 'put f1k -o x; put f10m -o x10'; same f1k $FAR/x; same f10m $FAR/x10;"
                        + " patiently same_time f1k $FAR/x;"
                        + " go 'get x10 -o lo1; get x -o lo2'; cmp f10m lo1; cmp f1k lo2; same_time lo2 f1k");
    }

    @Test
    void l2PgetWithFourConnections() throws Exception {
        lftp("go 'pget -n 4 far/f64m -o lo3'; cmp f64m lo3");
    }

    @Test
    void l3ContinuesDownloadsAndUploads() throws Exception {
        lftp("head -c 4000000 f10m > half; go 'get -c far/f10m -o half'; cmp f10m half;"
                + " head -c 3000000 f10m > $FAR/half2; go 'put -c f10m -o half2'; same f10m $FAR/half2");
    }

    @Test
    void l4MirrorsBothWays() throws Exception {
        lftp("go 'mirror -R tree n'; sametree tree $FAR/n; go 'mirror far/tree lo4'; diff -r tree lo4;"
                + " go 'mirror -R tree n'; sametree tree $FAR/n");
    }

    @Test
    void renamesAndDeletes() throws Exception {
        lftp(
                "go 'mkdir d; put f1k -o d/a; mv d/a d/b'; same f1k $FAR/d/b; gone $FAR/d/a; go 'rm d/b; rmdir d'; gone $FAR/d");
    }

    @Test
    void chmodReachesTheFarEnd() throws Exception {
        lftp("go 'put f1k -o mode; chmod 640 mode'; same f1k $FAR/mode; patiently mode_is $FAR/mode 640");
    }

    @Test
    void listsWhatIsThere() throws Exception {
        lftp(
                "go 'cls -1 far' | sort > names; diff names <(printf '%s\\n' far/empty far/f10m far/f1k far/f64m far/tree/ | sort)");
    }

    @Test
    void mirrorsDeleteContinueAndRunInParallel() throws Exception {
        lftp("""
                go 'mirror -R -P 4 tree m'; sametree tree $FAR/m; rm -rf t2; cp -r tree t2; rm t2/a
                go 'mirror -R -e t2 m'; sametree t2 $FAR/m; go 'mirror -e -c m t3'; diff -r t2 t3
                go 'mirror -R --only-newer tree m'; sametree tree $FAR/m
                """);
    }

    @Test
    void severalFilesAndTrees() throws Exception {
        lftp("""
                go 'mkdir -p q/a/b; mput -O q f1k f10m; mv q/f1k q/a/'; same f1k $FAR/q/a/f1k; same f10m $FAR/q/f10m; gone $FAR/q/f1k
                mkdir -p got; go 'mget -O got far/f1*; cat far/f1k > got/cat'; cmp f1k got/f1k; cmp f10m got/f10m; cmp f1k got/cat
                go 'find far; du far; ls -l far' > said; grep -q 'far/tree/sub/deep/c' said; go 'rm -r q'; gone $FAR/q
                """);
    }
}

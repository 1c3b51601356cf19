package io.hawser.it.interop;

import org.junit.jupiter.api.Test;

/** globus-url-copy over {@code ftp://}. */
class GlobusIT extends Recipes {
    private void guc(String script) throws Exception {
        recipe("globus-url-copy", "guc() { timeout 60 globus-url-copy \"$@\"; }\nHERE=file://$PWD\n" + script);
    }

    @Test
    void g1g2PlainBothWays() throws Exception {
        guc("guc $HERE/f10m $FTP/u1; same f10m $FAR/u1; guc $FTP/far/f10m $HERE/o1; cmp f10m o1");
    }

    @Test
    void g3g5ParallelUploads() throws Exception {
        guc("for p in 1 4 16; do guc -p $p $HERE/f64m $FTP/p$p; same f64m $FAR/p$p; done;"
                + " guc -fast $HERE/f64m $FTP/fast; same f64m $FAR/fast");
    }

    @Test
    void g4g5ParallelDownloads() throws Exception {
        guc("for p in 1 4 16; do guc -p $p $FTP/far/f64m $HERE/op$p; cmp f64m op$p; done;"
                + " guc -fast $FTP/far/f64m $HERE/ofast; cmp f64m ofast");
    }

    @Test
    void g6EmptyFiles() throws Exception {
        guc("guc -fast $HERE/empty $FTP/e; same empty $FAR/e; guc -fast $FTP/far/empty $HERE/oe; cmp empty oe;"
                + " guc $HERE/empty $FTP/e2; same empty $FAR/e2");
    }

    @Test
    void g7g20TreesUp() throws Exception {
        guc(
                "guc -r -cd $HERE/tree/ $FTP/n/; sametree tree $FAR/n; guc -r -cd -p 4 $HERE/tree/ $FTP/n4/; sametree tree $FAR/n4;"
                        + " guc -cc 3 -r -cd $HERE/tree/ $FTP/c/; sametree tree $FAR/c");
    }

    @Test
    void g8g9TreesDown() throws Exception {
        guc(
                "guc -r -cd $FTP/far/tree/ $HERE/td/; diff -r tree td; guc -r -cd -fast $FTP/far/tree/ $HERE/tf/; diff -r tree tf;"
                        + " guc -r -cd -p 4 $FTP/far/tree/ $HERE/t4/; diff -r tree t4");
    }

    @Test
    void g10List() throws Exception {
        guc(
                "guc -list $FTP/far/tree/ > listed; grep -q '^ *a *$' listed; grep -q 'emptydir/' listed; grep -q 'sub/' listed");
    }

    /** The client puts a range at its own place in the local file, with a hole before it, whichever server it talks to. */
    @Test
    void g11Ranges() throws Exception {
        guc(
                "dd if=f10m of=part bs=1 skip=1000 count=5000 status=none; guc -off 1000 -len 5000 $FTP/far/f10m $HERE/or1; cmp -i 0:1000 part or1;"
                        + " guc -fast -off 1000 -len 5000 $FTP/far/f10m $HERE/or2; cmp -i 0:1000 part or2");
    }

    @Test
    void g13VerifiesChecksums() throws Exception {
        guc(
                "guc -verify-checksum $HERE/f10m $FTP/v; same f10m $FAR/v; guc -verify-checksum $FTP/far/f10m $HERE/ov; cmp f10m ov");
    }

    @Test
    void g14Sync() throws Exception {
        guc(
                "guc -sync -sync-level 1 $HERE/f10m $FTP/s1; same f10m $FAR/s1; guc -sync -sync-level 3 $HERE/f10m $FTP/s1");
    }

    @Test
    void g15BufferSizes() throws Exception {
        guc(
                "guc -tcp-bs 262144 -p 2 $HERE/f10m $FTP/b15; same f10m $FAR/b15; guc -tcp-bs 262144 -p 2 $FTP/far/f10m $HERE/ob; cmp f10m ob");
    }

    @Test
    void g16Striped() throws Exception {
        guc(
                "guc -stripe -p 2 $HERE/f10m $FTP/s16; same f10m $FAR/s16; guc -stripe -p 2 $FTP/far/f10m $HERE/os; cmp f10m os");
    }

    @Test
    void g17DelayedPassive() throws Exception {
        guc("guc -dp -p 2 $HERE/f10m $FTP/d17; same f10m $FAR/d17; guc -dp -p 2 $FTP/far/f10m $HERE/od; cmp f10m od");
    }
}

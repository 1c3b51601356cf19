package io.hawser.it.interop;

import io.hawser.core.testkit.FarServerProcess;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import org.junit.jupiter.api.Test;

/** globus-url-copy over {@code ftp://}. */
class GlobusIT extends Recipes {
    @Override
    ProcessChain configure(ProcessChain fresh) {
        return fresh.with(Part.AGENT_A, "--data-peers", "127.0.0.1");
    }

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
    void g12OffsetsInTheTarget() throws Exception {
        guc("""
                guc -off 500 $HERE/f1k $FTP/off; patiently cmp -i 500 f1k $FAR/off; cmp -n 500 /dev/zero $FAR/off
                guc -fast -off 700 $HERE/f1k $FTP/off2; patiently cmp -i 700 f1k $FAR/off2
                guc -fast -off 400 $HERE/f10m $FTP/off; patiently cmp -i 500 f10m $FAR/off; cmp -n 400 /dev/zero $FAR/off
                guc -off 1000 $FTP/far/f10m $HERE/ooff; cmp -i 1000 f10m ooff
                """);
    }

    @Test
    void g13VerifiesChecksums() throws Exception {
        guc(
                "guc -verify-checksum $HERE/f10m $FTP/v; same f10m $FAR/v; guc -verify-checksum $FTP/far/f10m $HERE/ov; cmp f10m ov");
    }

    @Test
    void g14SyncSendsOnlyWhatDiffers() throws Exception {
        guc("""
                sent() { grep -ac "^$1 /" dbg || true; }
                sync() { guc -dbg -sync "$@" > dbg 2>&1; }
                sync -sync-level 1 -r -cd $HERE/tree/ $FTP/sy/; sametree tree $FAR/sy; test "$(sent STOR)" = 3
                for level in 1 2 3; do sync -sync-level $level -r -cd $HERE/tree/ $FTP/sy/; test "$(sent STOR)" = 0; done
                cp tree/a changed; printf x | dd of=changed conv=notrunc status=none
                sync -sync-level 3 $HERE/changed $FTP/sy/a; test "$(sent STOR)" = 1; same changed $FAR/sy/a
                sync -sync-level 1 -r -cd $FTP/far/tree/ $HERE/syd/; diff -r tree syd
                sync -sync-level 3 -r -cd $FTP/far/tree/ $HERE/syd/; test "$(sent RETR)" = 0
                """);
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

    @Test
    void g18g19BetweenTwoServers() throws Exception {
        try (FarServerProcess server = FarServerProcess.globus(directory.resolve("other"))) {
            String other = "OTHER=%2$s; SECOND=ftp://127.0.0.1:%1$d%2$s\n".formatted(server.port(), server.root());
            guc(other + """
                    cp -r f10m f64m tree $OTHER
                    guc $FTP/far/f10m $SECOND/t1; cmp f10m $OTHER/t1; guc $SECOND/f10m $FTP/s1; same f10m $FAR/s1
                    guc -p 4 $FTP/far/f64m $SECOND/t4; cmp f64m $OTHER/t4; guc -p 4 $SECOND/f64m $FTP/s4; same f64m $FAR/s4
                    guc -r -cd -pp -fast $FTP/far/tree/ $SECOND/tt/; diff -r tree $OTHER/tt
                    guc -r -cd -pp -fast $SECOND/tree/ $FTP/st/; sametree tree $FAR/st
                    guc -dp -p 2 -verify-checksum $FTP/far/f10m $SECOND/td; cmp f10m $OTHER/td
                    guc -dp -p 2 -verify-checksum $SECOND/f10m $FTP/sd; same f10m $FAR/sd
                    guc -stripe -p 2 $FTP/far/f10m $SECOND/ts; cmp f10m $OTHER/ts; guc -stripe -p 2 $SECOND/f10m $FTP/ss; same f10m $FAR/ss
                    guc -off 1000 -len 5000 -p 2 $SECOND/f10m $FTP/so; patiently cmp -i 0:1000 -n 5000 <(tail -c +1001 f10m) $FAR/so
                    """);
        }
        guc("guc -p 4 $FTP/far/f64m $FTP/self; same f64m $FAR/self");
    }

    @Test
    void pipeliningSeveralConnectionsWildcardsAndIpv6Commands() throws Exception {
        guc("""
                guc -pp -r -cd $HERE/tree/ $FTP/pp/; sametree tree $FAR/pp; guc -pp -fast -r -cd $FTP/far/tree/ $HERE/ppd/; diff -r tree ppd
                guc -r -cd -fast $HERE/tree/ $FTP/rf/; sametree tree $FAR/rf; guc -cc 3 -r -cd $FTP/far/tree/ $HERE/ccd/; diff -r tree ccd
                mkdir -p wild; guc "$FTP/far/f1*" $HERE/wild/; cmp f1k wild/f1k; cmp f10m wild/f10m
                guc -ipv6 $HERE/f1k $FTP/v6; same f1k $FAR/v6; guc -stripe -sbs 65536 -p 2 $FTP/far/f10m $HERE/osbs; cmp f10m osbs
                """);
    }
}

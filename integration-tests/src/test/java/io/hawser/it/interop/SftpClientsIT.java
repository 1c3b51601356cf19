package io.hawser.it.interop;

import io.hawser.core.testkit.Program;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * OpenSSH's sftp and scp, sshfs, rclone, lftp and paramiko in front of agent-a's SFTP, with a key. What each does at Ctrl-C is in {@link
 * #ctrlCOfEachClient}.
 */
class SftpClientsIT extends Recipes {
    /** {@code batch} runs the commands of its standard input in sftp. {@code press SECONDS COMMAND} presses Ctrl-C at its terminal. */
    private static final String PRELUDE = """
            OPTIONS="-i $PWD/id -o IdentitiesOnly=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=$PWD/known -o LogLevel=ERROR"
            batch() { timeout 120 sftp $OPTIONS "$@" -P $SFTP -b - ann@127.0.0.1; }
            CONF=$PWD/rclone.conf
            printf '[h]\\ntype = sftp\\nhost = 127.0.0.1\\nport = %s\\nuser = ann\\nkey_file = %s/id\\nshell_type = none\\n' $SFTP $PWD > $CONF
            rc() { timeout 120 rclone --config $CONF "$@"; }
            lf() { timeout 120 lftp -e "set sftp:connect-program 'ssh -a -x $OPTIONS'; set net:max-retries 1; set cmd:fail-exit yes; open -u ann, sftp://127.0.0.1:$SFTP; $1; bye"; }
            press() { python3 - "$@" <<'PY'
            import os, pty, select, sys, time
            pid, fd = pty.fork()
            if pid == 0: os.execvp(sys.argv[2], sys.argv[2:])
            end = time.time() + 20; pressed = time.time() + float(sys.argv[1]); done = 0
            while time.time() < end and not done:
                if pressed and time.time() > pressed: os.write(fd, b'\\x03'); pressed = 0
                if select.select([fd], [], [], 0.05)[0]:
                    try: os.read(fd, 65536)
                    except OSError: pass
                done = os.waitpid(pid, os.WNOHANG)[0]
            if not done: os.kill(pid, 9); sys.exit('did not end')
            PY
            }
            """;

    @Override
    ProcessChain configure(ProcessChain fresh) throws IOException {
        Program.needs("ssh-keygen");
        Path keys = Files.createDirectories(work.resolve("keys"));
        Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rwx------"));
        try {
            Program.run(work, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "id")
                    .succeeded();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
        Files.copy(work.resolve("id.pub"), keys.resolve("ann"));
        Files.setPosixFilePermissions(keys.resolve("ann"), PosixFilePermissions.fromString("rw-------"));
        return fresh.with(Part.AGENT_A, "--sftp", "127.0.0.1:0", "--sftp-keys", keys.toString());
    }

    private void sftp(String client, String script) throws Exception {
        recipe(client, "SFTP=" + chain.node(Part.AGENT_A).address("sftp").port() + "\n" + PRELUDE + script);
    }

    @Test
    void sftpPutsGetsAndChangesNames() throws Exception {
        sftp("sftp", """
                batch <<'END'
                mkdir s
                put f10m s/a
                rename s/a s/b
                put f1k s/c
                rename s/c s/b2
                ls -l s
                get s/b got
                put -p tree/sub/b s/p
                chmod 600 s/p
                put -R tree s/tree
                put -f f64m s/durable
                put empty s/none
                get -R /far/tree gottree
                df s
                END
                cmp f10m got; diff -r tree gottree; same f10m $FAR/s/b; same f1k $FAR/s/b2; gone $FAR/s/a
                sametree tree $FAR/s/tree; same f64m $FAR/s/durable; same empty $FAR/s/none
                same tree/sub/b $FAR/s/p; patiently mode_is $FAR/s/p 600; patiently same_time tree/sub/b $FAR/s/p
                printf 'rm s/b\\nrm s/b2\\nrm s/p\\nrm s/durable\\nrm s/none\\n' | batch; gone $FAR/s/b; gone $FAR/s/none
                """);
    }

    @Test
    void sftpContinuesAnUploadThatBrokeOff() throws Exception {
        sftp("sftp", """
                echo 'put f10m cont' > puts
                timeout -s KILL 3 sftp -l 20000 $OPTIONS -P $SFTP -b puts ann@127.0.0.1 || true
                gone $FAR/cont
                echo 'reput f10m cont' | batch; same f10m $FAR/cont
                head -c 1000000 f10m > back; echo 'reget /far/f10m back' | batch; cmp f10m back
                """);
    }

    @Test
    void sftpIsRefusedInItsOwnWords() throws Exception {
        sftp("sftp", """
                for c in 'get none' 'rm none' 'rename none x' 'ls none' 'mkdir far' 'rmdir far' 'ln -s f1k l' 'chown 1 far'; do
                    if echo "$c" | batch > /dev/null 2>&1; then echo "was not refused: $c"; exit 1; fi
                done
                refused ssh $OPTIONS -p $SFTP ann@127.0.0.1 < /dev/null; refused ssh $OPTIONS -p $SFTP ann@127.0.0.1 id
                refused ssh $OPTIONS -o ExitOnForwardFailure=yes -o BatchMode=yes -N -R 0:127.0.0.1:1 -p $SFTP ann@127.0.0.1
                echo ls | { refused sftp $OPTIONS -P $SFTP -b - bob@127.0.0.1; }
                """);
    }

    @Test
    void scpCopiesFilesAndTrees() throws Exception {
        sftp("scp", """
                S="timeout 120 scp $OPTIONS -P $SFTP"; T=ann@127.0.0.1
                $S f10m $T:scp; same f10m $FAR/scp; $S f1k $T:scp; same f1k $FAR/scp; $S empty $T:scp; same empty $FAR/scp
                $S -r tree $T:scptree; sametree tree $FAR/scptree
                for i in 1 2 3; do rm -rf sback; $S -pr $T:far/tree sback; diff -r tree sback; done
                $S $T:far/f64m s64; cmp f64m s64
                """);
    }

    @Test
    void scpCopiesByItsOlderProtocol() throws Exception {
        sftp("scp", """
                S="timeout 120 scp -O $OPTIONS -P $SFTP"; T=ann@127.0.0.1
                $S f10m $T:old; same f10m $FAR/old; $S f1k $T:old; same f1k $FAR/old; $S empty $T:; same empty $FAR/empty
                $S -p tree/sub/b $T:oldp; same tree/sub/b $FAR/oldp; patiently same_time tree/sub/b $FAR/oldp
                mkdir -p oldtree; cp -r tree oldtree; $S -r oldtree $T:; sametree oldtree $FAR/oldtree
                $S -r tree $T:oldtree; sametree tree $FAR/oldtree/tree; $S "f1k" "f10m" $T:oldtree; same f10m $FAR/oldtree/f10m
                rm -rf oback; $S -pr $T:far/tree oback; diff -r tree oback; $S $T:far/f64m o64; cmp f64m o64
                $S $T:far/empty oe; cmp empty oe
                refused $S $T:none onone; refused $S $T:far odir; refused $S f1k $T:far/f1k/x; refused $S tree $T:odir
                timeout -s KILL 2 scp -O -l 20000 $OPTIONS -P $SFTP f64m $T:ocut || true; gone $FAR/ocut
                """);
    }

    @Test
    void rcloneCopiesSyncsAndMoves() throws Exception {
        sftp("rclone", """
                rc copy tree h:rc; rc check tree h:rc --size-only; sametree tree/sub $FAR/rc/sub
                rc copy h:far/tree rcback; diff -r -x emptydir tree rcback
                rc moveto h:rc/a h:rc/moved; same tree/a $FAR/rc/moved; gone $FAR/rc/a
                cp -r tree small; rm -r small/sub; rc sync small h:rc; gone $FAR/rc/sub; rc about h:
                rc rcat h:rc/cat < f10m; rc cat h:rc/cat | cmp - f10m; rc purge h:rc; gone $FAR/rc
                """);
    }

    @Test
    void lftpMirrorsBothWays() throws Exception {
        sftp("lftp", """
                rm -rf lback; lf 'put f10m -o l5; get l5 -o lgot; mirror -R tree lt; mirror far/tree lback; mv l5 l6; chmod 600 l6; cls -l l6'
                cmp f10m lgot; diff -r tree lback; sametree tree $FAR/lt; same f10m $FAR/l6; patiently mode_is $FAR/l6 600
                lf 'rm l6; mkdir lq; rmdir lq; rm -r lt'; gone $FAR/l6; gone $FAR/lt
                """);
    }

    @Test
    void sshfsIsMountedAndWritten() throws Exception {
        Assumptions.assumeTrue(Files.isWritable(Path.of("/dev/fuse")), "/dev/fuse is not here");
        sftp("sshfs", """
                mkdir mnt; trap 'fusermount3 -u mnt 2> /dev/null || fusermount -u mnt' EXIT
                sshfs -o IdentityFile=$PWD/id,StrictHostKeyChecking=no,UserKnownHostsFile=$PWD/known -p $SFTP ann@127.0.0.1:/ mnt
                cmp f64m mnt/far/f64m; diff -r tree mnt/far/tree
                cp -r tree mnt/st; sametree tree $FAR/st; cp -p f10m mnt/sp; same f10m $FAR/sp; patiently same_time f10m $FAR/sp
                cp f1k mnt/sp; same f1k $FAR/sp; cat empty > mnt/sp; same empty $FAR/sp
                cat f1k > mnt/sa; same f1k $FAR/sa; cat f1k >> mnt/sa; cat f1k f1k > twice; same twice $FAR/sa
                mv mnt/sa mnt/sb; same twice $FAR/sb; touch mnt/t; same empty $FAR/t
                printf XY | dd of=mnt/sb bs=1 seek=10 conv=notrunc status=none; printf XY | dd of=twice bs=1 seek=10 conv=notrunc status=none
                same twice $FAR/sb; rm -r mnt/st; gone $FAR/st; df mnt | grep -q ann@
                """);
    }

    @Test
    void paramikoWritesAndReadsAtPositions() throws Exception {
        if (Program.run(work, "bash", "-c", "/usr/bin/python3 -c 'import paramiko'")
                        .exitStatus()
                != 0) {
            Program.missing("paramiko", "python3-paramiko");
        }
        sftp("python3", """
                cat > pm.py <<'PY'
                import paramiko, sys
                c = paramiko.SSHClient(); c.set_missing_host_key_policy(paramiko.AutoAddPolicy())
                c.connect('127.0.0.1', int(sys.argv[1]), 'ann', key_filename='id', look_for_keys=False, allow_agent=False)
                s = c.open_sftp(); s.mkdir('pm'); s.put('f10m', 'pm/x'); s.get('pm/x', 'pback'); s.chdir('pm')
                ten = open('f10m', 'rb').read(); assert open('pback', 'rb').read() == ten
                with s.open('z', 'wb') as f: f.seek(300000); f.write(b'b' * 300000); f.seek(0); f.write(b'a' * 300000)
                assert s.open('z').read() == b'a' * 300000 + b'b' * 300000
                with s.open('hole', 'wb') as f: f.seek(1000); f.write(b'b')
                with s.open('y', 'w') as f: f.write('hello')
                with s.open('y', 'a') as f: f.write(' world')
                s.utime('z', (1000000000, 1000000000)); assert s.stat('z').st_mtime == 1000000000
                with s.open('x', 'rb') as f:
                    f.seek(4000000); a = f.read(1000); f.seek(10); b = f.read(10); f.seek(-5, 2); d = f.read()
                assert (a, b, d) == (ten[4000000:4001000], ten[10:20], ten[-5:])
                s.posix_rename('z', 'x'); assert s.stat('x').st_size == 600000; c.close()
                PY
                /usr/bin/python3 pm.py $SFTP; printf 'hello world' > hello; same hello $FAR/pm/y; gone $FAR/pm/hole; gone $FAR/pm/z
                """);
    }

    /**
     * rclone, lftp and scp leave without closing the file: nothing is published. sftp closes it in good order, as at its end, so a shorter file
     * is published, as at any SFTP server.
     */
    @Test
    void ctrlCOfEachClient() throws Exception {
        Program.needs("rclone");
        Program.needs("lftp");
        sftp("scp", """
                press 2 scp $OPTIONS -l 20000 -P $SFTP f64m ann@127.0.0.1:c-scp
                press 2 rclone --config $CONF --bwlimit 3M copyto f64m h:c-rclone
                press 3 lftp -e "set sftp:connect-program 'ssh -a -x $OPTIONS'; set net:limit-rate 3000000; open -u ann, sftp://127.0.0.1:$SFTP; put f64m -o c-lftp; bye"
                echo 'put f64m c-sftp' > puts; press 2 sftp -l 20000 $OPTIONS -P $SFTP -b puts ann@127.0.0.1
                patiently test -s $FAR/c-sftp; cmp -n $(stat -c %s $FAR/c-sftp) $FAR/c-sftp f64m; test $(stat -c %s $FAR/c-sftp) -lt 67108864
                ! ls $FAR | grep -E 'c-(scp|rclone|lftp)'
                echo 'reput f64m c-scp' | batch; same f64m $FAR/c-scp
                """);
    }
}

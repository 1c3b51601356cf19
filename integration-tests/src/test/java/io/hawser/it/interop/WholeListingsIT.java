package io.hawser.it.interop;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The far end is away, and agent-a alone knows a file that is on its way: a listing would be incomplete. Each client fails visibly, and
 * those that mirror delete nothing of what they have copied before.
 */
@TestMethodOrder(MethodOrderer.MethodName.class)
class WholeListingsIT extends Recipes {
    private static final String LFTP =
            "go() { lftp -c \"set net:max-retries 1; set net:reconnect-interval-base 1; set net:timeout 20; open -u anonymous,x -p $PORT $HOST; $1\"; }\n";
    private static final String RCLONE =
            "copy() { rclone --config none --retries 1 --low-level-retries 1 \"$1\" --ftp-host $HOST --ftp-port $PORT --ftp-user anonymous"
                    + " --ftp-pass \"$(rclone obscure x)\" \":ftp:$2\" \"$3\"; }\n";

    /** A copy of the directory while the far end is there, and a file on its way into it. */
    @BeforeAll
    void copyAndLoseTheFarEnd() throws IOException {
        run("mkdir -p before; cp -r $FAR/far/tree before/; curl -sS --list-only $FTP/far/tree/ > /dev/null");
        chain.kill(Part.AGENT_B);
        run("curl -sS -T f1k $FTP/far/tree/coming");
    }

    private void client(String client, String script) throws Exception {
        recipe(client, "rm -rf copy; cp -r before copy;\n" + script + "\ndiff -r before copy");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void curl() throws Exception {
        client("curl", "refused curl -sS $FTP/far/tree/; refused curl -sS --list-only $FTP/far/tree/");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void lftpMirrorsAndDeletesNothing() throws Exception {
        client("lftp", LFTP + "refused go 'mirror -e far/tree copy/tree'; refused go 'ls far/tree'");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void rcloneSyncsAndDeletesNothing() throws Exception {
        client("rclone", RCLONE + "refused copy sync /far/tree copy/tree");
    }

    /** ncftpget -R (3.2.5) ignores that the directory cannot be listed, and exits with 0; it takes nothing away. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void ncftp() throws Exception {
        client(
                "ncftpget",
                "refused ncftpls -r 1 $FTP/far/tree/; mkdir -p ng; ncftpget -r 1 -T -R -P $PORT $HOST ng /far/tree || true;"
                        + " test -z \"$(find ng -type f)\"");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void wget() throws Exception {
        client("wget", "refused wget -nv --tries=1 -nH -m -P copy/w $FTP/far/tree/; rm -rf copy/w");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void tnftpSaysWhy() throws Exception {
        client("tnftp", """
                tnftp -n -v -i > said 2>&1 <<END || true
                open $HOST $PORT
                user anonymous x
                ls far/tree
                bye
                END
                grep -q '^451 ' said""");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void pythonRaisesAnError() throws Exception {
        client("python3", """
                cat > list.py <<'END'
                import ftplib, sys
                ftp = ftplib.FTP()
                ftp.connect(sys.argv[1], int(sys.argv[2]))
                ftp.login()
                for list in (lambda: ftp.nlst('far/tree'), lambda: [*ftp.mlsd('far/tree')], lambda: ftp.dir('far/tree')):
                    try:
                        list()
                        sys.exit('listed')
                    except ftplib.error_temp as e:
                        assert str(e).startswith('451 '), e
                END
                python3 list.py $HOST $PORT""");
    }

    /** Last: the far end comes back. */
    @Test
    void zTheSameCommandsCopyWhatHasComeWhenTheFarEndIsBack() throws Exception {
        chain.start(Part.AGENT_B);
        recipe(
                "lftp",
                LFTP + "same f1k $FAR/far/tree/coming; rm -rf copy; cp -r before copy; echo x > copy/tree/extra;"
                        + " patiently go 'mirror -e far/tree copy/tree'; diff -r $FAR/far/tree copy/tree");
        recipe(
                "rclone",
                RCLONE
                        + "rm -rf copy; cp -r before copy; patiently copy sync /far/tree copy/tree; diff -r $FAR/far/tree copy/tree");
    }
}

package io.hawser.it.interop;

import io.hawser.core.testkit.Program;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** FTP over TLS: clients that are told to trust anybody, both ways. */
@Tag("full")
class TlsIT extends Recipes {
    @Override
    ProcessChain configure(ProcessChain fresh) throws IOException {
        Program.needs("openssl");
        try {
            Program.run(
                            work,
                            "openssl",
                            "req",
                            "-x509",
                            "-newkey",
                            "rsa:2048",
                            "-nodes",
                            "-subj",
                            "/CN=localhost",
                            "-days",
                            "2",
                            "-keyout",
                            "key.pem",
                            "-out",
                            "cert.pem")
                    .succeeded();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
        return fresh.with(
                Part.AGENT_A,
                "--tls-cert",
                work.resolve("cert.pem").toString(),
                "--tls-key",
                work.resolve("key.pem").toString(),
                "--ftps",
                "127.0.0.1:0",
                "--https",
                "127.0.0.1:0");
    }

    private String ftps() {
        return "FTPS=ftps://" + chain.node(Part.AGENT_A).address("ftps") + "\n";
    }

    @Test
    void c8CurlBothWays() throws Exception {
        recipe("curl", """
                curl -sS -k --ssl-reqd -T f10m $FTP/c8; same f10m $FAR/c8; curl -sS -k --ssl-reqd -o o8 $FTP/c8; cmp f10m o8
                curl -sS -k --ssl-reqd -o o8f $FTP/far/f10m; cmp f10m o8f; curl -sS -k --ssl-reqd $FTP/far/ | grep -q f64m
                curl -sS -k --ssl-reqd --ftp-ssl-control -T f1k $FTP/c8c; same f1k $FAR/c8c
                curl -sS -k --ssl-reqd --ftp-ssl-control -o o8c $FTP/far/f1k; cmp f1k o8c
                curl -sS -k --ssl-reqd -r 100-299 -o o8r $FTP/far/f10m; cmp -n 200 -i 100:0 f10m o8r; test $(stat -c %s o8r) = 200
                head -c 3000000 f10m > o8p; curl -sS -k --ssl-reqd -C - -o o8p $FTP/far/f10m; cmp f10m o8p
                head -c 500 f1k > $FAR/half8; curl -sS -k --ssl-reqd -C 500 -T f1k $FTP/half8; same f1k $FAR/half8
                """);
    }

    @Test
    void implicitTls() throws Exception {
        recipe("curl", ftps() + """
                curl -sS -k -T f10m $FTPS/implicit; same f10m $FAR/implicit; curl -sS -k -o oi $FTPS/implicit; cmp f10m oi
                """);
    }

    @Test
    void httpOverTls() throws Exception {
        recipe("curl", "HTTPS=https://" + chain.node(Part.AGENT_A).address("https") + "\n" + """
                curl -sS -k --fail -T f10m $HTTPS/secured; same f10m $FAR/secured; curl -sS -k --fail -o os $HTTPS/far/f64m; cmp f64m os
                curl -sS -k --fail -T - $HTTPS/chunks < f64m; same f64m $FAR/chunks; curl -sS -k --fail $HTTPS/far/ | grep -q f10m
                refused curl -sS -k --tls-max 1.2 $HTTPS/ 2> old; refused curl -sS http://${HTTPS#https://}/ 2> clear
                """);
    }

    @Test
    void l5LftpBothWaysAndMirrors() throws Exception {
        recipe("lftp", """
                go() { lftp -c "set net:max-retries 2; set net:timeout 20; set ssl:verify-certificate no; set ftp:ssl-force true;
                        set ftp:ssl-protect-data true; set ftp:ssl-protect-list true; open -u anonymous,x -p $PORT $HOST; $1"; }
                go 'put f10m -o l5; get far/f10m -o lo5; pget -n 3 far/f64m -o lo5p'; same f10m $FAR/l5; cmp f10m lo5; cmp f64m lo5p
                go 'mirror -R tree l5t; mirror far/tree lo5t'; sametree tree $FAR/l5t; diff -r tree lo5t
                """);
    }

    @Test
    void pythonBothWays() throws Exception {
        recipe("python3", """
                cat > tls.py <<'PY'
                import ftplib, io, ssl, sys
                context = ssl.create_default_context(); context.check_hostname = False; context.verify_mode = ssl.CERT_NONE
                f = ftplib.FTP_TLS(context=context); f.connect(sys.argv[1], int(sys.argv[2]), 20); f.login(); f.prot_p()
                f.storbinary('STOR tls-python', open('f1k', 'rb'))
                got = []; f.retrbinary('RETR tls-python', got.append); assert b''.join(got) == open('f1k', 'rb').read()
                assert 'f10m' in f.nlst('far') and 'f10m' in dict(f.mlsd('far'))
                f.quit()
                PY
                python3 tls.py $HOST $PORT; same f1k $FAR/tls-python
                """);
    }
}

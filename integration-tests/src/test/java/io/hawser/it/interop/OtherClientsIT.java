package io.hawser.it.interop;

import io.hawser.core.testkit.FarServerProcess;
import io.hawser.core.testkit.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** ncftp, Python's ftplib, wget and tnftp. */
class OtherClientsIT extends Recipes {
    @Test
    void n1PutAndGet() throws Exception {
        recipe(
                "ncftpput",
                "ncftpput -P $PORT $HOST / f10m; same f10m $FAR/f10m;"
                        + " mkdir -p nget; ncftpget -P $PORT $HOST nget /far/f10m; cmp f10m nget/f10m");
    }

    @Test
    void n2Recursive() throws Exception {
        recipe(
                "ncftpput",
                "ncftpput -R -m -P $PORT $HOST /n tree; sametree tree $FAR/n/tree;"
                        + " mkdir -p nrget; ncftpget -R -P $PORT $HOST nrget /far/tree; diff -r tree nrget/tree");
    }

    @Test
    void ncftpContinuesAppendsRenamesAndTakesAway() throws Exception {
        recipe("ncftpput", """
                head -c 300 f1k > $FAR/nz; cp f1k nz; ncftpput -V -z -P $PORT $HOST / nz; same f1k $FAR/nz
                ncftpput -V -A -P $PORT $HOST / nz; cat f1k f1k > nz2; same nz2 $FAR/nz
                ncftpput -V -T .tmp. -P $PORT $HOST / f10m; same f10m $FAR/f10m; gone $FAR/.tmp.f10m
                ncftpput -V -E -m -P $PORT $HOST /nc/a/b f1k; same f1k $FAR/nc/a/b/f1k
                cp f1k taken; ncftpput -V -DD -P $PORT $HOST / taken; same f1k $FAR/taken; test ! -e taken
                ncftpget -V -DD -P $PORT $HOST . /taken; cmp f1k taken; gone $FAR/taken
                mkdir -p ngz; head -c 1000000 f10m > ngz/f10m; ncftpget -V -z -E -P $PORT $HOST ngz /far/f10m; cmp f10m ngz/f10m
                ncftpls -1 $FTP/far/ > names; grep -qx f10m names
                """);
    }

    @Test
    void p1Ftplib() throws Exception {
        recipe("python3", """
                cat > p1.py <<'PY'
                import ftplib, os, sys, time
                host, port, far = sys.argv[1], int(sys.argv[2]), sys.argv[3]
                f = ftplib.FTP(); f.connect(host, port, 20); f.login()
                f.mkd('p'); f.cwd('p')
                f.storbinary('STOR up', open('f10m', 'rb'))
                assert f.size('up') == os.path.getsize('f10m')
                got = []; f.retrbinary('RETR up', got.append); assert b''.join(got) == open('f10m', 'rb').read()
                got = []; f.retrbinary('RETR up', got.append, rest=400); assert b''.join(got) == open('f10m', 'rb').read()[400:]
                assert 'up' in f.nlst()
                lines = []; f.retrlines('LIST', lines.append); assert len(lines) >= 1 and lines[-1].endswith('up')
                facts = dict(f.mlsd('', ['type', 'size', 'modify'])); assert facts['up']['size'] == str(os.path.getsize('f10m'))
                f.voidcmd('TYPE I'); f.rename('up', 'moved'); assert f.size('moved') == os.path.getsize('f10m')
                f.mkd('inner'); f.rmd('inner')
                f.delete('moved')
                f.cwd('/'); f.rmd('p')
                f.quit()
                for i in range(300):
                    if not os.path.exists(far + '/p'): break
                    time.sleep(0.1)
                assert not os.path.exists(far + '/p')
                PY
                python3 p1.py $HOST $PORT $FAR
                """);
    }

    /** What is read does not change, so whoever reads it is not disturbed. */
    @Test
    void timeOfAFileIsChangedInTheMiddleOfItsDownload() throws Exception {
        recipe("python3", """
                cat > mfmt.py <<'PY'
                import ftplib, sys
                def login():
                    f = ftplib.FTP(); f.connect(sys.argv[1], int(sys.argv[2]), 20); f.login(); f.voidcmd('TYPE I'); return f
                reader, other = login(), login()
                data = reader.transfercmd('RETR far/f64m')
                got = data.recv(1 << 20)
                for year in 2020, 2021:
                    assert other.sendcmd('MFMT %d0102030405 far/f64m' % year).startswith('213')
                    assert ('%d0102030405' % year) in other.sendcmd('MDTM far/f64m')
                while chunk := data.recv(1 << 20): got += chunk
                data.close(); assert reader.voidresp().startswith('226')
                assert got == open('f64m', 'rb').read()
                PY
                python3 mfmt.py $HOST $PORT
                """);
    }

    @Test
    void w1Wget() throws Exception {
        recipe(
                "wget",
                "wget -nv -O wo $FTP/far/f10m; cmp f10m wo; wget -nv -r -nH -P wr $FTP/far/tree/;"
                        + " rm -f $(find wr -name .listing); diff -r -x emptydir tree wr/far/tree;"
                        + " mkdir -p wc; head -c 1000000 f10m > wc/f10m; (cd wc && wget -nv -c $FTP/far/f10m); cmp f10m wc/f10m");
    }

    @Test
    void t1Tnftp() throws Exception {
        recipe("tnftp", "tnftp -o to $FTP/far/f10m; cmp f10m to; tnftp -u $FTP/tx f1k; same f1k $FAR/tx");
    }

    @Test
    void wgetTimestampsWildcardsAndTrees() throws Exception {
        recipe("wget", """
                mkdir -p wn; cd wn; wget -nv -N $FTP/far/f10m; wget -nv -N $FTP/far/f10m; cmp ../f10m f10m
                wget -nv "$FTP/far/f1*"; cmp ../f1k f1k; wget -nv --no-passive-ftp -O active $FTP/far/f10m; cmp ../f10m active
                wget -nv -m -nH $FTP/far/tree/; diff -r -x emptydir -x .listing ../tree far/tree
                """);
    }

    @Test
    void tnftpInASession() throws Exception {
        recipe("tnftp", """
                head -c 300 f1k > tr; mkdir -p tm/far
                tnftp -n -v -i > said 2>&1 <<END
                open $HOST $PORT
                user anonymous x
                binary
                mkdir tn
                cd tn
                put f1k a
                rename a b
                chmod 600 b
                get b tg
                mput f1k f10m
                passive off
                get f10m ta
                nlist
                delete b
                cd ..
                reget far/f1k tr
                lcd tm
                mget far/f1?*
                bye
                END
                cmp f1k tg || { cat said; exit 1; }; cmp f10m ta; cmp f1k tr; cmp f1k tm/far/f1k; cmp f10m tm/far/f10m; same f10m $FAR/tn/f10m; gone $FAR/tn/b
                """);
    }

    @Test
    void x4CommandsThatArriveTogetherAreAnsweredInOrder() throws Exception {
        recipe("python3", """
                cat > x4.py <<'PY'
                import socket, sys
                s = socket.create_connection((sys.argv[1], int(sys.argv[2])), 20); f = s.makefile('rb')
                assert f.readline().startswith(b'220 ')
                s.sendall(b'SYST\\r\\nUSER anonymous\\r\\nPASS b\\r\\nTYPE I\\r\\nNOOP\\r\\n')
                codes = [f.readline()[:3] for _ in range(5)]
                assert codes == [b'215', b'331', b'230', b'200', b'200'], codes
                PY
                python3 x4.py $HOST $PORT
                """);
    }

    /** What docs/tutorial-ftp.md shows, with its first line edited and no other. */
    @Test
    void scriptOfTheTutorialDoesTheSameHereAsWithAServer() throws Exception {
        Program.needs("tnftp");
        Program.needs("lftp");
        try (FarServerProcess server = FarServerProcess.pyftpdlib(directory.resolve("plain"), 0)) {
            runScript("before", "HOST=127.0.0.1 PORT=" + server.port());
            runScript("after", "HOST=$HOST PORT=$PORT");
            recipe("globus-url-copy", """
                    for tree in reports photos images; do sametree %1$s/$tree $FAR/$tree; done; gone $FAR/disk.img
                    test ! -e %1$s/disk.img; same f10m $FAR/images/disk.img; same f1k $FAR/reports/today.csv
                    diff -r after/photos after/back; cmp f10m after/copy.img
                    """.formatted(server.root()));
        }
    }

    private void runScript(String where, String firstLine) throws Exception {
        String tutorial = Files.readString(Path.of("../docs/tutorial-ftp.md"));
        int begin = tutorial.indexOf(
                        "```sh\nHOST=", tutorial.indexOf("<!-- script: io.hawser.it.interop.OtherClientsIT -->"))
                + 6;
        String script = tutorial.substring(begin, tutorial.indexOf("```", begin));
        Files.writeString(work.resolve("script.sh"), script.substring(script.indexOf('\n')));
        recipe("globus-url-copy", """
                mkdir -p %1$s/photos/2026; cp f1k %1$s/report.csv; cp f10m %1$s/disk.img
                cp f1k %1$s/photos/2026/a.jpg; cp tree/a %1$s/photos/b.jpg
                cd %1$s; %2$s; . ../script.sh
                """.formatted(where, firstLine));
    }
}

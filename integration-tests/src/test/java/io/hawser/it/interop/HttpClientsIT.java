package io.hawser.it.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Program;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** curl, wget, rclone and raw requests at agent-a's HTTP front. */
class HttpClientsIT extends Recipes {
    @Override
    ProcessChain configure(ProcessChain fresh) {
        return fresh.with(Part.AGENT_A, "--http", "127.0.0.1:0");
    }

    /** {@code $URL}, and {@code status N ARGUMENTS}: curl gets that status. */
    private String http() {
        return "URL=http://" + chain.node(Part.AGENT_A).address("http") + "\n" + """
                status() { local want=$1; shift; local got=$(curl -s -o said -w '%{http_code}' "$@");
                           test "$got" = "$want" || { echo "$got, not $want: $*"; cat said; return 1; }; }
                """;
    }

    @Test
    void curlUploadsByLengthAndInChunks() throws Exception {
        recipe("curl", http() + """
                status 201 -T f10m $URL/h10; same f10m $FAR/h10; status 204 -T f1k $URL/h10; same f1k $FAR/h10
                status 201 -T - $URL/chunked < f10m; same f10m $FAR/chunked
                status 201 -T f1k "$URL/new/dir/a%20b%3Fc"; same f1k "$FAR/new/dir/a b?c"
                status 201 -T empty $URL/hempty; same empty $FAR/hempty
                status 201 -H Expect: -T f64m $URL/h64; same f64m $FAR/h64
                curl -sS --fail -D head -T f1k $URL/named > said; grep -qi '^hawser-transfer: [0-9a-f]\\{32\\}-[0-9a-f]\\{32\\}' head
                status 202 -H 'Prefer: respond-async' -T f1k $URL/later; same f1k $FAR/later
                """);
    }

    @Test
    void curlDownloadsWholeRangesAndTheRest() throws Exception {
        recipe("curl", http() + """
                curl -sS --fail -o o $URL/far/f64m; cmp f64m o; curl -sS --fail -o oe $URL/far/empty; cmp empty oe
                curl -sS --fail -r 100-299 -o or $URL/far/f10m; cmp -n 200 -i 100:0 f10m or; test $(stat -c %s or) = 200
                curl -sS --fail -r -200 -o ol $URL/far/f10m; tail -c 200 f10m | cmp - ol
                head -c 3000000 f10m > oc; curl -sS --fail -C - -o oc $URL/far/f10m; cmp f10m oc
                curl -sS --fail -D head -r 0-9,20-29,-5 -o om $URL/far/f1k; grep -q '^HTTP/1.1 206' head; grep -qi multipart/byteranges head
                test $(grep -ac '^Content-Range: bytes ' om) = 3; test $(stat -c %s om) = $(grep -i '^content-length' head | tr -dc 0-9)
                status 416 -r 1000- $URL/far/f1k; grep -q 'only 1000 bytes' said; status 404 $URL/far/nothing; refused curl -s --fail $URL/far/nothing
                """);
    }

    @Test
    void validatorsSaveWhatIsKnown() throws Exception {
        recipe("curl", http() + """
                curl -sS -I $URL/far/f10m > head; grep -qi '^content-length: 10485760' head; grep -qi '^accept-ranges: bytes' head
                grep -qi '^x-content-type-options: nosniff' head; grep -qi "^content-security-policy: default-src 'none'" head
                tag=$(grep -i '^etag' head | cut -d' ' -f2 | tr -d '\\r'); date=$(grep -i '^last-modified' head | cut -d' ' -f2- | tr -d '\\r')
                status 304 -H "If-None-Match: $tag" $URL/far/f10m; status 304 -H "If-Modified-Since: $date" $URL/far/f10m
                status 412 -H 'If-Match: "other"' $URL/far/f10m; status 206 -r 0-9 -H "If-Range: $tag" $URL/far/f10m
                status 200 -r 0-9 -H 'If-Range: "other"' $URL/far/f10m; cmp f10m said
                status 412 -H 'If-None-Match: *' -T f1k $URL/far/f10m; cmp f10m $FAR/far/f10m
                status 201 -H 'If-None-Match: *' -T f1k $URL/only; same f1k $FAR/only; status 412 -H 'If-None-Match: *' -T f10m $URL/only
                status 412 -H 'If-Match: *' -T f1k $URL/never; gone $FAR/never
                """);
    }

    @Test
    void refusalsComeBeforeTheBody() throws Exception {
        recipe("curl", http() + """
                patiently status 409 -T f64m $URL/far; grep -q 'Is a directory' said; status 409 -T f64m $URL/far/f1k/below
                status 409 -T f1k $URL/.hawser-landing-x/y; status 405 -X POST -d x $URL/far; status 400 "$URL/a%2Fb"
                status 400 -T f1k "$URL/a?b"; status 411 -X PUT $URL/unknown; status 400 -C 500 -T f1k $URL/part
                status 403 -H 'Origin: http://evil.example' -T f1k $URL/evil; status 403 -H 'Host: evil.example' $URL/
                status 404 --path-as-is $URL/../../etc/passwd; gone $FAR/evil; gone $FAR/part
                curl -s -o said -w '%{http_code} %{size_upload}' -X PUT -H 'Content-Length: 99999999999999' -H 'Expect: 100-continue' \\
                     --expect100-timeout 20 --data-binary @f64m $URL/huge | grep -qx '507 0'
                """);
    }

    @Test
    void directoriesAreListedMadeAndRemoved() throws Exception {
        recipe("curl", http() + """
                curl -sS --fail $URL/far/ > page; grep -q 'href="f10m"' page; grep -q 'href="tree/"' page; refused grep -qi '<script' page
                curl -sS --fail -H 'Accept: application/json' $URL/far/ | python3 -c '
                import json, sys
                files = {e["name"]: e for e in json.load(sys.stdin)["entries"]}
                assert files["f10m"]["size"] == 10485760 and files["tree"]["type"] == "directory", files'
                status 301 $URL/far; curl -sS --fail -L $URL/far | grep -q f64m; status 404 $URL/nowhere/; status 404 $URL/far/f1k/
                status 201 -X MKCOL $URL/made; status 405 -X MKCOL $URL/made; patiently test -d $FAR/made
                status 201 -T f1k $URL/made/x; same f1k $FAR/made/x; status 409 -X DELETE $URL/made
                status 204 -X DELETE $URL/made/x; gone $FAR/made/x; status 204 -X DELETE $URL/made/; gone $FAR/made; status 404 -X DELETE $URL/made
                """);
    }

    @Test
    void wgetFetchesAndMirrors() throws Exception {
        recipe("wget", http() + """
                wget -nv -O wo $URL/far/f10m; cmp f10m wo; mkdir -p wc; head -c 1000000 f10m > wc/f10m; (cd wc && wget -nv -c $URL/far/f10m); cmp f10m wc/f10m
                wget -nv -r -np -nH -P wr -R 'index.html*' $URL/far/tree/; diff -r -x emptydir tree wr/far/tree
                mkdir -p wn; cd wn; wget -nv -N $URL/far/f1k; wget -nv -N $URL/far/f1k 2> again; refused grep -q saved again
                """);
    }

    @Test
    void rcloneReadsATree() throws Exception {
        recipe("rclone", http() + """
                export RCLONE_CONFIG=/dev/null; rclone lsf -R ":http,url='$URL/far/tree/':" | sort > names
                printf '%s\\n' a emptydir/ sub/ sub/b sub/deep/ sub/deep/c | cmp - names
                rclone copy ":http,url='$URL/far/':" rc --exclude f64m; cmp f10m rc/f10m; diff -r -x emptydir tree rc/tree
                rclone check --size-only ":http,url='$URL/far/tree/':" tree
                """);
    }

    /** Neither a killed client nor one that ends its body early publishes anything. */
    @Test
    void brokenUploadsPublishNothing() throws Exception {
        recipe("python3", http() + """
                curl -sS --limit-rate 20M -T f64m $URL/killed 2> killed.err & pid=$!
                patiently sh -c "curl -sS --fail -m 5 $URL/killed 2>&1 | grep -q 503"; kill -9 $pid; wait $pid || true
                (cat f1k; sleep 30) | curl -sS -N -T - $URL/interrupted 2> int.err & pid=$!
                patiently sh -c "curl -sS --fail -m 5 $URL/interrupted 2>&1 | grep -q 503"; kill -INT $pid; kill -9 $pid 2> /dev/null || true
                cat > raw.py <<'PY'
                import socket, sys
                def ask(request):
                    host, port = sys.argv[1].split('//')[1].split(':')
                    s = socket.create_connection((host, int(port)), 20)
                    s.sendall(request.replace(b'\\n', b'\\r\\n')); s.shutdown(socket.SHUT_WR)
                    got = b''
                    while part := s.recv(65536): got += part
                    return got
                head = b'PUT /%s HTTP/1.1\\nHost: localhost\\n'
                assert ask(head % b'early' + b'Transfer-Encoding: chunked\\n\\n5\\nhello\\n').startswith(b'HTTP/1.1 400 ')
                assert ask(head % b'malformed' + b'Transfer-Encoding: chunked\\n\\n5\\nhello\\nx\\n').startswith(b'HTTP/1.1 400 ')
                assert ask(head % b'short' + b'Content-Length: 10\\n\\nhello').startswith(b'HTTP/1.1 400 ')
                assert ask(head % b'two' + b'Transfer-Encoding: chunked\\nContent-Length: 5\\n\\n0\\n\\n').startswith(b'HTTP/1.1 400 ')
                assert ask(head % b'whole' + b'Content-Length: 5\\n\\nhello').startswith(b'HTTP/1.1 201 ')
                get = b'GET /far/f1k HTTP/1.1\\nHost: localhost\\n\\n'
                assert ask(get * 3).count(b'HTTP/1.1 200 ') == 3
                PY
                python3 raw.py $URL; patiently test -e $FAR/whole
                for name in killed interrupted early malformed short two; do test ! -e $FAR/$name; done
                status 201 -T f64m $URL/killed; same f64m $FAR/killed
                """);
    }

    @Test
    void killedAgentLosesNothingThatItHasAccepted() throws Exception {
        Program.needs("curl");
        chain.kill(Part.BROKER);
        recipe("curl", http() + "status 201 -T f10m $URL/accepted; status 201 -T - $URL/also < f1k");
        chain.kill(Part.AGENT_A);
        assertThat(chain.target().resolve("accepted")).doesNotExist();

        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);

        recipe("curl", "same f10m $FAR/accepted; same f1k $FAR/also");
    }

    /** The source is changed while the client is in the middle of it. */
    @Test
    void changedSourceIsNeverMixed() throws Exception {
        Program.needs("curl");
        Path source = chain.target().resolve("far/changing");
        Files.copy(work.resolve("f64m"), source);
        Path got = work.resolve("mixed");
        Process curl = Program.start(
                work,
                work.resolve("mixed.out"),
                "curl",
                "-sS",
                "--limit-rate",
                "8M",
                "-o",
                got.toString(),
                "http://" + chain.node(Part.AGENT_A).address("http") + "/far/changing");
        Awaitility.await().atMost(TestTimes.LIMIT).until(() -> Files.exists(got) && Files.size(got) > 0);

        Files.write(source, new byte[64 << 20]);

        assertThat(curl.waitFor()).isNotZero();
        assertThat(Files.mismatch(got, work.resolve("f64m"))).isEqualTo(Files.size(got));
    }
}

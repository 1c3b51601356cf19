package io.hawser.it.interop;

import io.hawser.core.testkit.FarServerProcess;
import io.hawser.core.testkit.Program;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * How many data connections there are and between whom, as the client's kernel saw it; the same over IPv6; and clients that lie about their
 * blocks and connections.
 */
@Tag("full")
class DataConnectionsIT extends Recipes {
    @Override
    ProcessChain configure(ProcessChain fresh) {
        return fresh.with(Part.AGENT_A, "--data-peers", "127.0.0.1", "--gridftp", "[::1]:0");
    }

    /** {@code dialled PORT...}: connections that the client has opened, but to these ports; {@code accepted}: such that it has taken. */
    private void traced(String script) throws Exception {
        Program.needs("strace");
        recipe("globus-url-copy", """
                guc() { timeout 60 strace -f -qq -e trace=connect,accept,accept4 -o calls globus-url-copy "$@"; }
                dialled() { { grep -a 'connect(' calls | grep -o 'htons([0-9]*)' | grep -vx 'htons(53)' || true; } > ports
                    for port in "$@"; do sed -i "/htons($port)/d" ports; done; wc -l < ports; }
                accepted() { grep -acE 'accept.* = [0-9]+$' calls || true; }
                is() { if [ "$1" != "$2" ]; then echo "$1 instead of $2"; cat calls; return 1; fi; }
                HERE=file://$PWD
                """ + script);
    }

    @Test
    void g3g4AsManyDataConnectionsAsWereAskedFor() throws Exception {
        traced("""
                for p in 1 4; do
                    guc -p $p $HERE/f64m $FTP/n$p; is "$(dialled $PORT)" $p; is "$(accepted)" 0; same f64m $FAR/n$p
                    guc -p $p $FTP/far/f64m $HERE/m$p; is "$(accepted)" $p; is "$(dialled $PORT)" 0; cmp f64m m$p
                done
                """);
    }

    @Test
    void g8OneDataConnectionForATree() throws Exception {
        traced("""
                guc -r -cd -fast $FTP/far/tree/ $HERE/one/; diff -r tree one; is $(($(dialled $PORT) + $(accepted))) 1
                """);
    }

    @Test
    void g18NoBytesGoThroughTheClient() throws Exception {
        Program.needs("globus-gridftp-server");
        try (FarServerProcess server = FarServerProcess.globus(directory.resolve("other"))) {
            traced("OTHER=%2$s; OPORT=%1$d; SECOND=ftp://127.0.0.1:%1$d%2$s\n".formatted(server.port(), server.root())
                    + """
                    cp f64m $OTHER
                    guc -p 4 $FTP/far/f64m $SECOND/t; cmp f64m $OTHER/t; is "$(dialled $PORT $OPORT)" 0; is "$(accepted)" 0
                    guc -p 4 $SECOND/f64m $FTP/t; same f64m $FAR/t; is "$(dialled $PORT $OPORT)" 0; is "$(accepted)" 0
                    """);
        }
    }

    @Test
    void overIpv6() throws Exception {
        String places = "SIX=%d\nURL=\"ftp://[::1]:$SIX\"\n"
                .formatted(chain.node(Part.AGENT_A).address("gridftp").port());
        recipe("curl", places + """
                curl -g -sS -T f10m "$URL/six-c"; same f10m $FAR/six-c; curl -g -sS -o six-c "$URL/far/f10m"; cmp f10m six-c
                curl -g -sS -P - -T f1k "$URL/six-p"; same f1k $FAR/six-p
                """);
        recipe("lftp", places + """
                lftp -c "open -u anonymous,x $URL; put f10m -o six-l; get far/f10m -o six-l"; cmp f10m six-l; same f10m $FAR/six-l
                """);
        recipe("python3", places + """
                cat > six.py <<'PY'
                import ftplib, sys
                f = ftplib.FTP(); f.connect('::1', int(sys.argv[1]), 20); f.login(); whole = open('f10m', 'rb').read()
                for passive in True, False:
                    f.set_pasv(passive); f.storbinary('STOR six-%s' % passive, open('f10m', 'rb'))
                    got = []; f.retrbinary('RETR far/f10m', got.append); assert b''.join(got) == whole
                assert 'f1k' in f.nlst('far')
                try: f.sendcmd('PASV'); assert False
                except ftplib.all_errors as e: assert str(e)[0] in '45', e
                PY
                python3 six.py $SIX; same f10m $FAR/six-True; same f10m $FAR/six-False
                """);
    }

    /** Whole files from blocks in unusual order and shape, and none from those that lie. */
    @Test
    void x2x3BlocksThatAreUnusualAndBlocksThatLie() throws Exception {
        recipe("python3", """
                cat > lies.py <<'PY'
                import os, re, socket, struct, sys
                EOF, EOD, CLOSE = 0x40, 0x08, 0x04
                whole = open('f10m', 'rb').read()[:3_000_001]; half = 1_500_000; end = len(whole)
                open('lies', 'wb').write(whole)
                control = socket.create_connection((sys.argv[1], int(sys.argv[2])), 20); replies = control.makefile('rb')
                def reply():
                    line = replies.readline().decode()
                    if line[3:4] == '-':
                        while not re.match('[0-9]{3} ', line): line = replies.readline().decode()
                    return reply() if line[:3] in ('111', '112') else line
                def said(line):
                    control.sendall(line.encode() + bytes([13, 10])); return reply()
                reply()
                for line in 'USER anonymous', 'PASS x', 'TYPE I', 'MODE E': assert said(line)[0] in '23', line
                def header(flags, count, offset): return struct.pack('>BQQ', flags, count, offset)
                def block(flags, at, to, content=whole): return header(flags, to - at, at) + content[at:to]
                def upload(name, *parts):
                    numbers = re.search('[(](.*)[)]', said('PASV')).group(1).split(',')
                    to = '.'.join(numbers[:4]), int(numbers[4]) * 256 + int(numbers[5])
                    connections = [socket.create_connection(to, 20) for _ in range(1 + max(part[0] for part in parts))]
                    for c in connections: c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    answer = said('STOR ' + name)
                    assert answer[0] == '1', answer
                    try:
                        for connection, what in parts:
                            if what is None: connections[connection].close()
                            else: connections[connection].sendall(what)
                    except OSError: pass # it was refused before all was sent
                    answer = reply()
                    for c in connections: c.close()
                    return answer
                def taken(name, *parts):
                    answer = upload(name, *parts); assert answer.startswith('226'), (name, answer)
                def refused(name, codes, *parts):
                    answer = upload(name, *parts); assert answer[:3] in codes, (name, answer)
                    lies.append(name)
                lies = []
                all = block(0, 0, end)
                taken('x2-eof-first', (0, header(EOF, 0, 1)), (0, all), (0, header(EOD, 0, 0)))
                taken('x2-eod-only', (0, header(EOD, 0, 0)), (1, all), (1, header(EOF, 0, 2)), (1, header(EOD, 0, 0)))
                taken('x2-4c', (0, all), (0, header(EOF | EOD | CLOSE, 0, 1)), (0, None))
                taken('x2-overlap', (0, block(0, 0, half + 7)), (1, block(0, half - 70000, end)), (1, header(EOD, 0, 0)),
                    (0, header(EOF | EOD, 0, 2)))
                taken('x2-order', *[(i % 2, block(0, at, min(at + 99_999, end))) for i, at in enumerate(range(0, end, 99_999))][::-1],
                    (0, header(EOD, 0, 0)), (1, header(EOF | EOD, 0, 2)))
                taken('x2-bytes', *[(0, bytes([b])) for b in header(0, end, 0)], (0, whole), *[(0, bytes([b])) for b in header(EOF | EOD, 0, 1)])
                other = whole[:half] + bytes([whole[half] ^ 1]) + whole[half + 1:]
                refused('x3-no-eod', ['426'], (0, block(0, 0, half)), (1, block(0, half, end)), (1, header(EOF | EOD, 0, 2)), (0, None))
                refused('x3-too-few', ['426'], (0, block(0, 0, half)), (0, header(EOD, 0, 0)), (1, block(0, half, end)), (1, header(EOF | EOD, 0, 1)))
                refused('x3-too-many', ['426'], (0, all), (0, header(EOF | EOD, 0, 3)), (0, None))
                refused('x3-no-eof', ['426'], (0, all), (0, header(EOD, 0, 0)), (0, None))
                refused('x3-cut-block', ['426'], (0, header(0, end, 0) + whole[:half]), (0, None))
                refused('x3-differs', ['550'], (0, all), (0, block(0, 0, end, other)), (0, header(EOF | EOD, 0, 1)))
                refused('x3-far-away', ['426', '501', '550', '552'], (0, header(0, 10, 1 << 62) + whole[:10]), (0, header(EOF | EOD, 0, 1)))
                refused('x3-huge', ['426', '501', '550', '552'], (0, header(0, (1 << 64) - 1, 0) + whole[:10]), (0, header(EOF | EOD, 0, 1)))
                taken('x3-no-eod-again', (0, all), (0, header(EOF | EOD, 0, 1)))
                open('taken', 'w').write('x2-eof-first x2-eod-only x2-4c x2-overlap x2-order x2-bytes x3-no-eod-again')
                open('untaken', 'w').write(' '.join(lies))
                PY
                python3 lies.py $HOST $PORT
                for name in $(cat taken); do same lies $FAR/$name; done
                for name in $(cat untaken); do test ! -e $FAR/$name; done
                """);
    }
}

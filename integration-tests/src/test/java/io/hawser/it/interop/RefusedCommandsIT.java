package io.hawser.it.interop;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A relay between client and agent-a answers chosen commands itself: what clients do then must work here as well, and what they
 * make of a wrong answer is seen.
 */
@Tag("full")
class RefusedCommandsIT extends Recipes {
    @BeforeAll
    void writeRelay() {
        // with_relay 'VERB VERB=answer ...' command: runs the command with $RELAY, whose refusal is "500 no".
        run("""
                cat > relay.py <<'PY'
                import socket, sys, threading
                answers = dict((a.split('=', 1) + ['500 no'])[:2] for a in sys.argv[3].split())
                def copy(source, sink):
                    while data := source.recv(65536): sink.sendall(data)
                    sink.shutdown(socket.SHUT_WR)
                def serve(client):
                    server = socket.create_connection((sys.argv[1], int(sys.argv[2])))
                    threading.Thread(target=copy, args=(server, client), daemon=True).start()
                    try:
                        for line in client.makefile('rb'):
                            verb = line.split()[0].decode('latin1').upper()
                            if verb in answers: client.sendall(answers[verb].replace('_', ' ').encode() + bytes([13, 10]))
                            else: server.sendall(line)
                        server.shutdown(socket.SHUT_WR)
                    except OSError: server.close()
                listener = socket.create_server(('127.0.0.1', 0)); print(listener.getsockname()[1], flush=True)
                while True: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
                PY
                """);
    }

    private static final String WITH_RELAY = """
            with_relay() {
                local port pid code=0; mkfifo relay.port; python3 relay.py $HOST $PORT "$1" > relay.port & pid=$!
                read port < relay.port; rm relay.port; RELAY=127.0.0.1:$port RPORT=$port; shift
                "$@" || code=$?; kill $pid; wait $pid 2> /dev/null || true; return $code
            }
            """;

    @Test
    void globus() throws Exception {
        recipe("globus-url-copy", WITH_RELAY + """
                put() { timeout 60 globus-url-copy $2 file://$PWD/f1k ftp://$RELAY/$1; same f1k $FAR/$1; }
                get() { timeout 60 globus-url-copy $2 ftp://$RELAY/far/f1k file://$PWD/$1; cmp f1k $1; }
                wrong() { refused globus-url-copy -verify-checksum file://$PWD/f1k ftp://$RELAY/g6; }
                with_relay 'PASV' put g1 ''; with_relay 'PASV' get g2 ''; with_relay 'ALLO SITE FEAT' put g3 '-p 2'
                with_relay 'SITE FEAT' get g4 '-p 2'; with_relay 'EPSV' put g5 '-ipv6'
                with_relay 'CKSM=213_00000000000000000000000000000000' wrong > said 2>&1; grep -q 'checksum verification failure' said
                """);
    }

    @Test
    void curl() throws Exception {
        recipe("curl", WITH_RELAY + """
                put() { curl -sS $2 -T f1k ftp://$RELAY/$1; same f1k $FAR/$1; }
                get() { curl -sS $2 -o $1 ftp://$RELAY/far/f1k; cmp f1k $1; }
                with_relay 'EPSV PWD' put c1 ''; with_relay 'EPSV SIZE PWD' get c2 ''; with_relay 'EPRT' put c3 '-P -'; with_relay 'AUTH' get c4 '--ssl'
                """);
    }

    @Test
    void lftp() throws Exception {
        recipe("lftp", WITH_RELAY + """
                both() { lftp -c "set net:max-retries 2; set net:timeout 20; open -u anonymous,x -p $RPORT 127.0.0.1; put f1k -o $1; get far/f1k -o $1"
                    cmp f1k $1; same f1k $FAR/$1; }
                with_relay 'SIZE MDTM MFMT SITE' both l1; with_relay 'FEAT OPTS' both l2
                """);
    }

    @Test
    void ncftp() throws Exception {
        recipe("ncftpput", WITH_RELAY + """
                both() { cp f1k $1; ncftpput -V -P $RPORT 127.0.0.1 / $1; same f1k $FAR/$1; rm $1; ncftpget -V -P $RPORT 127.0.0.1 . /$1; cmp f1k $1; }
                with_relay 'PASV' both n1; with_relay 'FEAT MLST MFMT' both n2
                """);
    }

    @Test
    void wgetAndTnftp() throws Exception {
        recipe("wget", WITH_RELAY + """
                with_relay 'SYST SIZE PWD' eval 'wget -nv -O w1 ftp://$RELAY/far/f1k'; cmp f1k w1
                with_relay 'FEAT SIZE MDTM EPSV' eval 'tnftp -o t1 ftp://$RELAY/far/f1k'; cmp f1k t1
                """);
    }
}

package io.hawser.agentb.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agentb.deliver.ListenOptions;
import io.hawser.core.ftp.PortRange;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.remote.Question;
import io.hawser.core.remote.RemoteFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Servers that are named as GridFTP servers and do not know MODE E, or not well. */
class ScriptedGridFilesTest extends ScriptedFilesBase {
    @BeforeEach
    void open() throws IOException {
        server.says("SIZE", "213 10").says("MDTM", "213 20200101000000").says("MODE S", "200 ok");
        files = open(ListenOptions.ANYWHERE);
    }

    private FarFiles open(ListenOptions listening) throws IOException {
        return open("gridftp", 2, options -> options.withListening(listening));
    }

    private Outcome<RemoteFile> attempt(ByteBuffer into) {
        return files.read(new Question.Read("x", "", 0, into.remaining()), into);
    }

    private String read() {
        return read(0, 20);
    }

    /** The numbers of MODE E that were asked for. */
    private long asked() {
        return server.commands.stream().filter(line -> line.equals("MODE E")).count();
    }

    @Test
    void aServerThatDoesNotKnowTheModeIsReadFromInStreamMode() {
        server.sends("RETR /in/x", "0123456789");

        assertThat(read()).isEqualTo("0123456789");
        assertThat(read()).isEqualTo("0123456789");

        assertThat(asked()).isEqualTo(1);
    }

    @Test
    void aServerThatDialsNobodyIsReadFromInStreamMode() {
        server.says("MODE E", "200 ok").says("OPTS", "200 ok").says("PORT", "500 Illegal PORT command.");
        server.sends("RETR /in/x", "0123456789");

        assertThat(read()).isEqualTo("0123456789");

        assertThat(server.commands).containsSubsequence("MODE E", "MODE S", "PASV", "RETR /in/x");
    }

    @Test
    void aServerWhoseConnectionsDoNotComeThroughIsReadFromInStreamModeByWhoAsksAgain() {
        server.says("MODE E", "200 ok").says("PORT", "200 ok").says("RETR", "150 here I come");

        assertThat(code(attempt(ByteBuffer.allocate(20)))).isEqualTo(ErrorCode.UNREACHABLE);
        server.sends("RETR /in/x", "0123456789");
        assertThat(read()).isEqualTo("0123456789");

        assertThat(asked()).isEqualTo(1);
    }

    @Test
    void whatIsSaidOfTheFileIsTold() {
        server.says("MODE E", "200 ok").says("PORT", "200 ok").says("RETR", "550 Permission denied");

        assertThat(code(attempt(ByteBuffer.allocate(20)))).isEqualTo(ErrorCode.NOT_ALLOWED);
        assertThat(server.commands).doesNotContain("MODE S");
    }

    @Test
    void theServerIsToldThePortAndTheAddressThatTheOperatorWants() throws IOException {
        files.close();
        int port = freePort();
        files = open(
                new ListenOptions(new PortRange(port, port), Optional.of(ListenOptions.parseAddress("192.0.2.7"))));
        server.says("MODE E", "200 ok").says("PORT", "200 ok").says("RETR", "550 Permission denied");

        assertThat(code(attempt(ByteBuffer.allocate(20)))).isEqualTo(ErrorCode.NOT_ALLOWED);

        assertThat(server.commands).contains("PORT 192,0,2,7," + port / 256 + "," + port % 256);
    }

    @Test
    void withoutAFreePortItIsReadFromInStreamMode() throws IOException {
        files.close();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            files = open(new ListenOptions(new PortRange(port, port), Optional.empty()));
            server.sends("RETR /in/x", "0123456789");

            assertThat(read()).isEqualTo("0123456789");
        }
        assertThat(asked()).isZero();
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}

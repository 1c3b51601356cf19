package io.hawser.agentb.deliver.gsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.file.TrustDirectory;
import io.hawser.gsi.testkit.GridPki;
import io.hawser.gsi.testkit.ProxyForm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ends of a data connection, each with a credential of its own. */
class DataAuthenticatorTest {
    @TempDir
    static Path grid;

    private static Credential agent;
    private static Credential delegated;
    private static Credential stranger;
    private static TrustDirectory trust;

    private ServerSocket door;
    private Socket dialled;
    private Socket accepted;

    @BeforeAll
    static void grid() throws Exception {
        GridPki pki = GridPki.in(grid);
        agent = pki.user("Agent B");
        delegated = pki.proxy(agent, ProxyForm.LIMITED);
        stranger = pki.user("Somebody else");
        trust = new TrustDirectory(pki.trustDirectory(), false, Duration.ofSeconds(10));
    }

    @BeforeEach
    void connect() throws IOException {
        door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        dialled = new Socket(door.getInetAddress(), door.getLocalPort());
        accepted = door.accept();
        for (Socket socket : new Socket[] {dialled, accepted}) {
            socket.setSoTimeout(20_000);
        }
    }

    @AfterEach
    void close() throws IOException {
        dialled.close();
        accepted.close();
        door.close();
    }

    private FutureTask<Socket> other(Credential shown, Socket socket, boolean encrypts, boolean begins) {
        FutureTask<Socket> task = new FutureTask<>(() -> {
            try {
                return new DataAuthenticator(shown, trust, peer -> {}, encrypts).secure(socket, begins);
            } catch (IOException e) {
                socket.close();
                throw e;
            }
        });
        new Thread(task).start();
        return task;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bytesBehindTheExchangeAreWhole(boolean encrypts) throws Exception {
        byte[] bytes = new byte[1_000_003];
        new Random(1).nextBytes(bytes);
        FutureTask<Socket> far = other(delegated, accepted, encrypts, false);
        Socket near = new DataAuthenticator(agent, trust, encrypts).secure(dialled, true);
        FutureTask<Boolean> writing = new FutureTask<>(() -> {
            near.getOutputStream().write(bytes);
            near.close(); // as Globus does, without a word of TLS
            return true;
        });
        new Thread(writing).start();

        assertThat(far.get().getInputStream().readAllBytes()).isEqualTo(bytes);
        writing.get();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anotherUserIsRefusedByWhoDials(boolean encrypts) {
        FutureTask<Socket> unused = other(stranger, accepted, encrypts, false);

        assertThatThrownBy(() -> new DataAuthenticator(agent, trust, encrypts).secure(dialled, true))
                .isInstanceOf(AuthenticationException.class)
                .hasMessageContaining("authenticated as /O=Test Grid/OU=Users/CN=Somebody else");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anotherUserIsRefusedByWhoIsDialled(boolean encrypts) {
        FutureTask<Socket> unused = other(stranger, dialled, encrypts, true);

        assertThatThrownBy(() -> new DataAuthenticator(agent, trust, encrypts).secure(accepted, false))
                .isInstanceOf(AuthenticationException.class)
                .hasMessageContaining("authenticated as /O=Test Grid/OU=Users/CN=Somebody else");
    }

    @Test
    void whoSpeaksNoTlsIsRefused() throws Exception {
        FutureTask<Socket> near = other(agent, accepted, false, false);
        dialled.getOutputStream().write("hello, here are data".getBytes(java.nio.charset.StandardCharsets.US_ASCII));

        assertThatThrownBy(near::get)
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("the data on the connection is no TLS");
    }
}

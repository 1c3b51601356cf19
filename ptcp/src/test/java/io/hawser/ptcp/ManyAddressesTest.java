package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.ptcp.testkit.TestTimes;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One name that resolves to many. */
class ManyAddressesTest {
    private static final String NAME = "brokers.example";
    private static final String FIRST = "127.0.0.2";
    private static final String SECOND = "127.0.0.3";

    private final TestNet net = new TestNet("default");
    private InetAddress[] answer = {};
    private final PtcpDialler dialler = new PtcpDialler(null, name -> {
        assertThat(name).isEqualTo(NAME);
        return answer;
    });

    @AfterEach
    void close() {
        net.close();
    }

    private static InetAddress address(String literal) throws UnknownHostException {
        return InetAddress.getByAddress(NAME, InetAddress.getByName(literal).getAddress());
    }

    private PtcpServer listen(String host, int port) throws PtcpException {
        return PtcpServer.listen(
                net.servers,
                new InetSocketAddress(host, port),
                TestNet.streams(1),
                (greeting, principal, remote) ->
                        new SessionAdmission.Accepted(TestNet.utf8("acceptor"), new RecordingHandler()));
    }

    /** Dials, says where the session came up, and ends it. */
    private String dial(int port) throws Exception {
        PtcpSession session = dialler.connect(
                        net.diallers,
                        InetSocketAddress.createUnresolved(NAME, port),
                        TestNet.utf8("dialler"),
                        TestNet.streams(2),
                        new RecordingHandler())
                .get(TestTimes.SECONDS, TimeUnit.SECONDS);
        session.loop().submit(() -> {}).get(TestTimes.SECONDS, TimeUnit.SECONDS); // the dialler has been told as well
        String host = ((InetSocketAddress) session.remoteAddress()).getAddress().getHostAddress();
        session.close("the test goes on");
        return host;
    }

    @Test
    void anAttemptAfterOneInVainGoesToTheNextAddressAndLaterOnesStayWhereASessionCameUp() throws Exception {
        answer = new InetAddress[] {address(FIRST), address(SECOND)};
        PtcpServer second = listen(SECOND, 0);
        int port = second.localAddress().getPort();

        assertThatThrownBy(() -> dial(port)).isInstanceOf(ExecutionException.class);
        assertThat(dial(port)).isEqualTo(SECOND);
        assertThat(dial(port)).as("again").isEqualTo(SECOND);

        second.close("it dies").awaitUninterruptibly();
        PtcpServer first = listen(FIRST, port);
        assertThatThrownBy(() -> dial(port)).isInstanceOf(ExecutionException.class);
        assertThat(dial(port)).as("when the other died").isEqualTo(FIRST);
        first.close("the test is over").awaitUninterruptibly();
    }

    @Test
    void aLookUpThatThrowsWhatItNeverShouldFailsTheDial() {
        PtcpDialler broken = new PtcpDialler(null, name -> {
            throw new InternalError("planted");
        });

        assertThatThrownBy(() -> broken.connect(
                                net.diallers,
                                InetSocketAddress.createUnresolved(NAME, 1),
                                TestNet.utf8("dialler"),
                                TestNet.streams(1),
                                new RecordingHandler())
                        .get(TestTimes.SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("planted");
    }

    @Test
    void allHaveTheirTurnWhateverOrderTheAnswersHave() throws Exception {
        AddressRotation turns = new AddressRotation();
        InetAddress a = address("10.0.0.1");
        InetAddress b = address("10.0.0.2");
        InetAddress c = address("10.0.0.200");

        assertThat(turns.next(NAME, new InetAddress[] {b, a, c})).isEqualTo(b);
        assertThat(turns.next(NAME, new InetAddress[] {b, a, c})).isEqualTo(c);
        assertThat(turns.next(NAME, new InetAddress[] {c, b, a})).isEqualTo(a);
        assertThat(turns.next(NAME, new InetAddress[] {a, c})).as("one went").isEqualTo(c);
        turns.worked(NAME, c);
        assertThat(turns.next(NAME, new InetAddress[] {a, c})).isEqualTo(c);
        assertThat(turns.next(NAME, new InetAddress[] {a})).isEqualTo(a);
        assertThat(turns.next("other.example", new InetAddress[] {c, a})).isEqualTo(c);
    }
}

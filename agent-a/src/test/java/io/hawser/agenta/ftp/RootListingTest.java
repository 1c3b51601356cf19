package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agenta.namespace.ListedTopics;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.core.model.Topic;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.testkit.FaultyStorage;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The root directory, whose entries are topics: what a client has used stays listed. */
@Invariant(InvariantName.HONEST_ANSWERS)
class RootListingTest {
    private static final byte[] HELLO = "hello\n".getBytes(StandardCharsets.US_ASCII);

    private FtpFixture ftp;
    private RawFtp client;

    @BeforeEach
    void start() throws Exception {
        ftp = FtpFixture.start(config -> config);
        client = RawFtp.login(ftp.port);
        client.ok("TYPE I");
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        ftp.close();
    }

    private String list(String path) throws IOException {
        try (Socket data = client.passive()) {
            client.send("NLST " + path);
            client.expect(150);
            String text = new String(data.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            client.expect(226);
            return text;
        }
    }

    private void store(String name) throws IOException {
        try (Socket data = client.passive()) {
            client.send("STOR " + name);
            client.expect(150);
            data.getOutputStream().write(HELLO);
        }
        client.expect(226);
    }

    private void refused(String command, int code, String text) throws IOException {
        client.passivePort();
        client.send(command);
        assertThat(client.expect(code)).contains(text);
    }

    @Test
    void topicsStayListedWhenTheSpoolForgetsThem() throws Exception {
        store("/site-b/f");
        client.ok("MKD /site-c/d");

        ftp.spool.forgetAll();

        assertThat(list("/")).contains("site-b\r\n", "site-c\r\n").hasLineCount(2);
    }

    @Test
    void topicsThatAreReadAreListed() throws Exception {
        ftp.remote.connect().file("d/f", HELLO);
        assertThat(list("/site-b/d")).contains("f\r\n");

        assertThat(list("/")).isEqualTo("site-b\r\n");
    }

    @Test
    void topicsThatWereOnlyNamedAreNotListed() throws Exception {
        client.ok("CWD /nonsense");
        refused("NLST /nonsense", 451, "not connected");
        refused("RETR /nonsense/f", 451, "not connected");
        client.send("SIZE /nonsense/f");
        client.expect(451);

        assertThat(list("/")).isEmpty();
    }

    @Test
    void topicsThatCannotBeWrittenDownAreAnError() throws Exception {
        store("/site-b/f");
        ftp.topicsDisk.failCall(1, FaultyStorage.Fault.ENOSPC, true);
        store("/site-c/f"); // accepted all the same

        refused("NLST /", 451, "cannot write down which topics to list");
        ftp.spool.forgetAll();
        refused("NLST /", 451, "cannot write down which topics to list");

        ftp.topicsDisk.heal();
        assertThat(list("/")).hasLineCount(2);
    }

    @Test
    void topicsBeyondTheLimitAreAnError() throws Exception {
        ftp.loop()
                .submit(() -> IntStream.range(0, ListedTopics.MAX_TOPICS)
                        .forEach(i -> ftp.files.names().used(new Topic("topic-" + i))))
                .sync();
        assertThat(list("/")).hasLineCount(ListedTopics.MAX_TOPICS);

        store("/site-b/f");
        ftp.spool.forgetAll();

        refused("NLST /", 451, "more than 1000 topics");
        refused("MLSD /", 451, "more than 1000 topics");
        store("/site-c/f");
    }
}

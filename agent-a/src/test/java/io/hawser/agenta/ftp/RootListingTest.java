package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agenta.namespace.ListedTopics;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.OnUsualFtpServer;
import io.hawser.agenta.testkit.SpoolRig;
import io.hawser.core.model.Topic;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.testkit.FaultyStorage;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The root directory, whose entries are topics: what a client has used stays listed. */
@Invariant(InvariantName.HONEST_ANSWERS)
class RootListingTest extends OnUsualFtpServer {
    private static final byte[] HELLO = "hello\n".getBytes(StandardCharsets.US_ASCII);

    @Override
    protected FtpFixture server() throws Exception {
        return FtpFixture.start(config -> config, SpoolRig.forgetful());
    }

    @Test
    void topicsStayListedWhenTheSpoolForgetsThem() throws Exception {
        client.upload("STOR /site-b/f", HELLO);
        client.ok("MKD /site-c/d");

        ftp.spool.finishAll();

        assertThat(client.text("NLST /")).contains("site-b\r\n", "site-c\r\n").hasLineCount(2);
    }

    @Test
    void topicsThatAreReadAreListed() throws Exception {
        ftp.remote.connect().file("d/f", HELLO);
        assertThat(client.text("NLST /site-b/d")).contains("f\r\n");

        assertThat(client.text("NLST /")).isEqualTo("site-b\r\n");
    }

    @Test
    void topicsThatWereOnlyNamedAreNotListed() throws Exception {
        client.ok("CWD /nonsense");
        client.expect("NLST /nonsense", 451, "not connected");
        client.expect("RETR /nonsense/f", 451, "not connected");
        client.expect("SIZE /nonsense/f", 451);

        assertThat(client.text("NLST /")).isEmpty();
    }

    @Test
    void topicsThatCannotBeWrittenDownAreAnError() throws Exception {
        client.upload("STOR /site-b/f", HELLO);
        ftp.topicsDisk.failCall(1, FaultyStorage.Fault.ENOSPC, true);
        client.upload("STOR /site-c/f", HELLO); // accepted all the same

        client.expect("NLST /", 451, "cannot write down which topics to list");
        ftp.spool.finishAll();
        client.expect("NLST /", 451, "cannot write down which topics to list");

        ftp.topicsDisk.heal();
        assertThat(client.text("NLST /")).hasLineCount(2);
    }

    @Test
    void topicsBeyondTheLimitAreAnError() throws Exception {
        ftp.loop()
                .submit(() -> IntStream.range(0, ListedTopics.MAX_TOPICS)
                        .forEach(i -> ftp.files.names().used(new Topic("topic-" + i))))
                .sync();
        assertThat(client.text("NLST /")).hasLineCount(ListedTopics.MAX_TOPICS);

        client.upload("STOR /site-b/f", HELLO);
        ftp.spool.finishAll();

        client.expect("NLST /", 451, "more than 1000 topics");
        client.expect("MLSD /", 451, "more than 1000 topics");
        client.upload("STOR /site-c/f", HELLO);
    }
}

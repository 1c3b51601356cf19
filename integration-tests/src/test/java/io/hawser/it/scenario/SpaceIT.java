package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.harness.CommandRun;
import io.hawser.it.harness.Curl;
import io.hawser.ops.observe.HopStatus;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Limits on space that an operator sets: who is told, in which words, and that everything goes on when there is room. */
@Tag("full")
class SpaceIT extends Scenario {
    private static final String UPLINK = HopStatus.PUBLISHER_TO_BROKER;

    private CommandRun send(Path file, String wait) throws Exception {
        return CommandRun.of(
                "send",
                file.toString(),
                "--to",
                ProcessChain.TOPIC,
                "--broker",
                chain.brokerPtcp().toString(),
                "--state",
                directory.resolve("state").toString(),
                "--wait",
                wait);
    }

    /** What the status command says of a transfer at agent-a. */
    private String said(String name) throws Exception {
        String admin = chain.admin(Part.AGENT_A).orElseThrow().toString();
        return CommandRun.of("status", name, "--admin", admin).succeeded().out();
    }

    /** Uploads with an ALLO in front of it, as clients do that know the size; returns what curl complained about. */
    private String refusedUpload(Path source, String path) throws Exception {
        try (Curl curl = Curl.upload(chain.ftp(), source, path, "-v", "-Q", "ALLO " + Files.size(source))) {
            assertThat(curl.await(LIMIT)).isNotZero();
            return curl.complaints();
        }
    }

    @Test
    void aBrokersQuotaHoldsBackWhatFitsLaterAndRefusesWhatNeverFits() throws Exception {
        chain.with(Part.BROKER, "--quota", "8MiB").start(Part.BROKER);
        chain.start(Part.AGENT_A);
        Path first = sample("first", 5 * MIB, 1);
        send(first, "brokered").succeeded();
        CommandRun tooLarge = send(sample("tooLarge", 9 * MIB, 2), "brokered");
        assertThat(tooLarge.code()).isNotZero();
        assertThat(tooLarge.log())
                .contains("the broker's quota is 8,388,608 bytes in all")
                .doesNotContain("\tat ");

        Path second = sample("second", 5 * MIB, 3);
        upload(second, "second");
        awaitHop(Part.AGENT_A, "second", UPLINK, hop -> hop.state().equals("refused"));
        assertThat(said("second")).contains("held back: NO_SPACE", "of the broker's quota of 8,388,608 bytes");

        chain.start(Part.AGENT_B);
        awaitDelivered(first, "first");
        awaitDelivered(second, "second");
        assertThat(visible(chain.target())).containsExactly("first", "second");
    }

    @Test
    void uploadsOfUnknownSizeThatFillTheQuotaTogetherFinishOneAfterTheOther() throws Exception {
        chain.with(Part.BROKER, "--quota", "8MiB").startAll();
        Path one = sample("one", 6 * MIB, 1);
        Path other = sample("other", 6 * MIB, 2);
        try (Curl first = Curl.uploadPart(chain.ftp(), one, "one", 5 * MIB + 1)) {
            awaitHop(Part.AGENT_A, "one", UPLINK, hop -> hop.bytes().durableBytes() == 5 * MIB);
            try (Curl second = Curl.uploadPart(chain.ftp(), other, "other", 6 * MIB - 1)) {
                // Half of each is at the broker, which has no room for the rest of either.
                awaitHop(
                        Part.AGENT_A,
                        "other",
                        UPLINK,
                        hop -> hop.state().equals("refused") && hop.bytes().durableBytes() == 3 * MIB);
                first.resume();
                awaitHop(Part.AGENT_A, "one", UPLINK, hop -> hop.state().equals("refused"));
                second.resume();
                assertThat(first.await(LIMIT)).as(() -> complaints(first)).isZero();
                assertThat(second.await(LIMIT)).as(() -> complaints(second)).isZero();
            }
        }
        awaitDelivered(one, "one");
        awaitDelivered(other, "other");

        // While the broker is away: it would refuse the upload before its end, perhaps, and then curl is told so.
        assertThat(chain.stop(Part.BROKER)).isZero();
        upload(sample("tooLarge", 12 * MIB, 3), "tooLarge");
        chain.start(Part.BROKER);
        await("the end of what can never fit").until(() -> chain.status(Part.AGENT_A, "tooLarge")
                .filter(status -> status.state().equals("failed"))
                .isPresent());
        assertThat(said("tooLarge")).contains("the broker's quota is 8,388,608 bytes in all");
        await("the space").until(this::brokerKeepsNothing);
        assertThat(visible(chain.target())).containsExactly("one", "other");
    }

    @Test
    void withoutHeadRoomTheBrokerTakesNothingUntilThereIsSome() throws Exception {
        Path file = directory.resolve("broker.properties");
        Files.writeString(file, "broker.head-room = 1024PiB\n");
        chain.with(Part.BROKER, "--config", file.toString()).startAll();
        Path source = sample("source", 3 * MIB, 1);
        upload(source, "file");
        awaitHop(Part.AGENT_A, "file", UPLINK, hop -> hop.state().equals("refused"));
        assertThat(said("file")).contains("held back: NO_SPACE", "kept back as head-room");
        assertThat(visible(chain.target())).isEmpty();

        assertThat(chain.stop(Part.BROKER)).isZero();
        Files.writeString(file, "broker.head-room = 1MiB\n");
        chain.start(Part.BROKER);
        awaitDelivered(source, "file");
    }

    @Test
    void aFullSpoolRefusesUploadsAndLosesNothingThatItTook() throws Exception {
        chain.with(Part.AGENT_A, "--spool-quota", "8MiB").start(Part.BROKER);
        chain.start(Part.AGENT_A);
        chain.kill(Part.BROKER);
        Path kept = sample("kept", 5 * MIB, 1);
        upload(kept, "kept");
        Path second = sample("second", 5 * MIB, 2);
        assertThat(refusedUpload(second, "second")).contains("\n< 452 ALLO: No space left on device");
        assertThat(refusedUpload(sample("tooLarge", 9 * MIB, 3), "tooLarge"))
                .contains("\n< 552 ALLO: Disk quota exceeded");

        chain.start(Part.BROKER);
        chain.start(Part.AGENT_B);
        awaitDelivered(kept, "kept");
        await("the receipt").until(() -> receipts("kept", "delivered") == 1);
        upload(second, "second");
        awaitDelivered(second, "second");
        assertThat(visible(chain.target())).containsExactly("kept", "second");
    }

    private boolean brokerKeepsNothing() {
        return page(Part.BROKER, "/metrics").contains("\nhawser_store_used_bytes 0.0\n");
    }

    @Test
    void anUploadThatBrokeOffExpires() throws Exception {
        chain.with(Part.AGENT_A, "--retain-incomplete", "1s").startAll();
        Path source = sample("source", 4 * MIB, 1);
        try (Curl curl = Curl.uploadPart(chain.ftp(), source, "file", 3 * MIB)) {
            awaitHop(Part.BROKER, "file", UPLINK, hop -> hop.bytes().durableBytes() > MIB);
            curl.kill();
        }
        await("its end").until(() -> chain.status(Part.AGENT_A, "file")
                .filter(status -> status.state().equals("cancelled"))
                .isPresent());
        await("the space").until(this::brokerKeepsNothing);
        await("the spool's space")
                .until(() -> page(Part.AGENT_A, "/metrics").contains("\nhawser_spool_used_bytes 0.0\n"));
        assertThat(visible(chain.target())).isEmpty();
        upload(source, "file");
        awaitDelivered(source, "file");
    }

    @Test
    void whatABrokerDroppedAsIncompleteIsSentAgainByItsPublisher() throws Exception {
        chain.with(Part.BROKER, "--retain-incomplete", "1s", "--quota", "4MiB").start(Part.BROKER);
        chain.start(Part.AGENT_A);
        Path first = sample("first", 3 * MIB, 1);
        send(first, "brokered").succeeded();
        Path source = sample("source", 3 * MIB, 2);
        upload(source, "file");
        awaitHop(Part.BROKER, "file", UPLINK, hop -> hop.bytes().durableBytes() > 0);
        chain.kill(Part.AGENT_A);
        await("the space").until(() -> page(Part.BROKER, "/metrics").contains("\nhawser_store_used_bytes 3145728.0\n"));

        chain.start(Part.AGENT_B);
        awaitDelivered(first, "first");
        chain.start(Part.AGENT_A);
        awaitDelivered(source, "file");
    }

    @Test
    void aBrokerDropsWhatItsPublisherNeverFinishes() throws Exception {
        chain.with(Part.BROKER, "--retain-incomplete", "1s").startAll();
        Path source = sample("source", 4 * MIB, 1);
        try (Curl curl = Curl.uploadPart(chain.ftp(), source, "file", 3 * MIB)) {
            awaitHop(Part.BROKER, "file", UPLINK, hop -> hop.bytes().durableBytes() > MIB);
            chain.kill(Part.AGENT_A);
            curl.kill();
        }
        await("the space").until(this::brokerKeepsNothing);
        assertThat(visible(chain.target())).isEmpty();
        chain.start(Part.AGENT_A);
        upload(source, "file");
        awaitDelivered(source, "file");
    }
}

package io.hawser.agentb.deliver.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.Secret;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.FaultyStorage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** What a far server says on its control connection, and what is remembered of it: an IOException is the worst that it causes. */
class FarReplyFuzzTest {
    private static final FarServer SERVER = FarServer.parse("ftp://127.0.0.1:2100/in");
    private static final FarOptions OPTIONS = FarOptions.with(new Secret("x"));

    /** All that the server says, from its greeting on. */
    @FuzzTest(maxDuration = "2m")
    void replies(byte[] data) {
        FarFtpClient client = new FarFtpClient(SERVER, OPTIONS, LoginSecurity.NONE);
        client.setSocketFactory(new OneSocket(data));
        try {
            client.open();
            assertThat(client.login("anonymous", "x")).isIn(true, false);
            client.features();
            String directory = client.printWorkingDirectory();
            assertThat(FarTimeCommands.modified(client, directory + "/f").millis())
                    .isGreaterThan(Long.MIN_VALUE);
            Checksum sum = Checksum.offeredBy(client);
            String hex = sum == null ? null : sum.ask(client, "/f", 5, 64);
            assertThat(hex == null || hex.matches("[0-9a-f]{64}")).isTrue();
            InetSocketAddress passive = client.passive();
            assertThat(passive.getPort()).isBetween(0, 65535);
        } catch (IOException e) {
            assertThat(e.getMessage()).isNotEqualTo("");
        }
    }

    @FuzzTest(maxDuration = "1m")
    void markersAndNotes(byte[] data) throws StorageException {
        String text = new String(data, StandardCharsets.UTF_8);
        FragmentRanges ranges = new FragmentRanges();
        RangeList.addMarker(ranges, text);
        assertThat(ranges.isEmpty() || RangeList.isMarker(text)).isTrue();
        ranges.addAll(RangeList.parse(text));
        for (FragmentRange range : ranges.runs()) {
            assertThat(range.start()).isNotNegative().isLessThan(range.end());
        }
        FaultyStorage storage = new FaultyStorage();
        Path path = Path.of("/notes/x.note");
        storage.createDirectories(path.getParent());
        storage.replaceAll(path, data);
        DeliveryCheckpoint checkpoint = DeliveryCheckpoint.read(storage, path);
        assertThat(RangeList.parse(checkpoint.ranges())).isNotNull();
        checkpoint.markRenaming();
        assertThat(DeliveryCheckpoint.read(storage, path).isRenaming()).isTrue();
        assertThat(DeliveryCheckpoint.read(storage, path).isEarly()).isEqualTo(checkpoint.isEarly());
    }

    @FuzzTest(maxDuration = "1m")
    void url(byte[] data) {
        String text = new String(data, StandardCharsets.UTF_8);
        if (!FarServer.isUrl(text)) {
            return;
        }
        try {
            FarServer server = FarServer.parse(text);
            assertThat(server.port()).isBetween(1, 65535);
            assertThat(server.host()).isNotEmpty();
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }
}

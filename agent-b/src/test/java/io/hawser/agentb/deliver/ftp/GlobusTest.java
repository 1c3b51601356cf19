package io.hawser.agentb.deliver.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.FragmentRanges;
import io.hawser.core.testkit.FarServerProcess;
import io.hawser.store.landing.DeliveryOutcome;
import io.hawser.store.landing.VerifiedObject;
import io.hawser.store.storage.DiskStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Delivery to a real globus-gridftp-server in extended block mode, which computes checksums. */
class GlobusTest extends PatchContract {
    private static final int MIB = 1 << 20;

    @Override
    protected FarServerProcess startServer(Path in) throws Exception {
        return FarServerProcess.globus(in);
    }

    @Override
    boolean computesChecksums() {
        return true;
    }

    /** Whether it takes names as they are: it drops what is not ASCII from commands that come in clear, not from wrapped ones. */
    boolean keepsNames() {
        return false;
    }

    @Override
    String oddName() {
        return keepsNames() ? super.oddName() : "-d e.bin";
    }

    @Test
    void namesAreKeptAsTheyAreOrRefused() throws Exception {
        VerifiedObject object = rig.object("d\u00e9/x", 10);
        DeliveryOutcome result = rig.attempt(object);

        if (keepsNames()) {
            assertThat(result).isInstanceOf(DeliveryOutcome.Delivered.class);
            assertSame(object);
            return;
        }
        TargetRig.assertEnded(result, DeliveryOutcome.Refused.class, "not ASCII");
        assertThat(delivered("d")).doesNotExist();
    }

    @Override
    TargetRig makeRig() throws Exception {
        return new TargetRig(directory.resolve("landing"), url(), SlowReads.of(5));
    }

    /** The temporary file of an earlier attempt, whose first byte is wrong: it shows whether the file was kept. */
    private VerifiedObject broken(String name, String ranges) throws IOException {
        VerifiedObject object = rig.object(name, 4 * MIB);
        byte[] bytes = Files.readAllBytes(object.file());
        bytes[0]++;
        Arrays.fill(bytes, MIB, 2 * MIB, (byte) 0);
        Arrays.fill(bytes, 3 * MIB, 4 * MIB, (byte) 0);
        Files.createDirectories(delivered(""));
        Files.write(delivered(TargetRig.temporaryName(object)), bytes);
        DeliveryCheckpoint.read(new DiskStorage(), object.note()).ranges(ranges);
        return object;
    }

    @Override
    @Test
    void anUploadGoesOnWhereItBrokeOff() throws Exception {
        String ranges = "0-" + MIB + "," + 2 * MIB + "-" + 3 * MIB;
        VerifiedObject object = broken("ranges", ranges);

        DeliveryOutcome first = rig.attempt(object); // the checksum tells that the first byte was kept

        assertThat(first).isInstanceOf(DeliveryOutcome.Later.class);
        assertThat(((DeliveryOutcome.Later) first).reason()).contains("from the beginning");
        rig.deliver(object);
        assertSame(object);
    }

    @Test
    void onlyWhatIsMissingIsSent() throws Exception {
        VerifiedObject object = broken("rest", "0-" + MIB + "," + 2 * MIB + "-" + 3 * MIB);
        Path temporary = delivered(TargetRig.temporaryName(object));
        byte[] bytes = Files.readAllBytes(temporary);
        bytes[0]--;
        Files.write(temporary, bytes);

        rig.deliver(object);

        assertSame(object);
    }

    @Test
    void rangesWithoutTheFileAreNotBelieved() throws Exception {
        VerifiedObject object = rig.object("lost", 2 * MIB);
        DeliveryCheckpoint.read(new DiskStorage(), object.note()).ranges("0-" + MIB);

        rig.deliver(object);

        assertSame(object);
    }

    @Test
    void markersAreReadAsTheServersWriteThem() {
        FragmentRanges ranges = new FragmentRanges();

        RangeList.addMarker(ranges, "111 Range Marker 0-10,20-30\r\n");
        RangeList.addMarker(ranges, "111-Range Marker 10-15\r\n");

        assertThat(RangeList.text(ranges)).isEqualTo("0-15,20-30");
        assertThat(RangeList.isMarker("112-Perf Marker\r\n 1-2\r\n112 End.")).isFalse();
    }
}

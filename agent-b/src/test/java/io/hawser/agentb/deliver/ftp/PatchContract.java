package io.hawser.agentb.deliver.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Damage;
import io.hawser.store.landing.DeliveryOutcome;
import io.hawser.store.landing.PatchPlan;
import io.hawser.store.landing.VerifiedObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is true of every kind of server when a patch of a file there is delivered. */
abstract class PatchContract extends EarlyContract {
    private static final long BASE_TIME = 1_500_000_000_000L;
    private static final int BASE_BYTES = MIB + 5;

    private byte[] base = {};
    private Path file = Path.of("");

    @BeforeEach
    void makeBase() throws IOException {
        base = new byte[BASE_BYTES];
        Arrays.fill(base, (byte) 7);
        Files.createDirectories(delivered("p"));
        file = Files.write(delivered("p/base"), base);
        Files.setLastModifiedTime(file, FileTime.fromMillis(BASE_TIME));
    }

    private VerifiedObject patch(String name, int sizeBytes, Map<String, String> attributes) throws IOException {
        return rig.object(TransferKind.PATCH, name, sizeBytes, attributes);
    }

    private static Map<String, String> onto(long sizeBytes, long millis, long offset) {
        return Map.of(
                Attributes.BASE_SIZE,
                Long.toString(sizeBytes),
                Attributes.OFFSET,
                Long.toString(offset),
                Attributes.BASE_FINGERPRINT,
                "far:" + sizeBytes + "-" + millis);
    }

    private void assertPatched(VerifiedObject patch, int offset) throws IOException {
        byte[] bytes = Files.readAllBytes(patch.file());
        byte[] wanted = Arrays.copyOf(base, Math.max(base.length, offset + bytes.length));
        System.arraycopy(bytes, 0, wanted, offset, bytes.length);
        assertThat(Files.readAllBytes(file)).isEqualTo(wanted);
        assertNothingIsLeft();
    }

    private void assertNothingIsLeft() throws IOException {
        assertThat(temporaryFiles()).isEmpty();
        try (var left = Files.list(directory.resolve("landing"))) {
            assertThat(left.map(Path::toString).filter(name -> name.contains(".merg")))
                    .isEmpty();
        }
    }

    @Test
    void aPatchGoesIntoTheMiddleAndOverTheEnd() throws Exception {
        VerifiedObject inside = patch("p/base", 1000, onto(BASE_BYTES, BASE_TIME, 500));
        rig.deliver(inside);
        assertPatched(inside, 500);

        base = Files.readAllBytes(file);
        Files.setLastModifiedTime(file, FileTime.fromMillis(BASE_TIME + 5_000));
        VerifiedObject over = patch("p/base", 2000, onto(BASE_BYTES, BASE_TIME + 5_000, BASE_BYTES - 10));
        rig.deliver(over);
        assertPatched(over, BASE_BYTES - 10);
    }

    @Test
    void aPatchFillsGaps() throws Exception {
        Map<String, String> gaps = new HashMap<>(onto(BASE_BYTES, BASE_TIME, 0));
        gaps.put(Attributes.OFFSET, "10-20,100-1000," + (BASE_BYTES - 1));
        VerifiedObject patch = patch("p/base", 1000, gaps);
        byte[] bytes = Files.readAllBytes(patch.file());

        rig.deliver(patch);

        byte[] wanted = Arrays.copyOf(base, BASE_BYTES + 89);
        System.arraycopy(bytes, 0, wanted, 10, 10);
        System.arraycopy(bytes, 10, wanted, 100, 900);
        System.arraycopy(bytes, 910, wanted, BASE_BYTES - 1, 90);
        assertThat(Files.readAllBytes(file)).isEqualTo(wanted);
        assertNothingIsLeft();
    }

    @Test
    void aPatchWhoseBytesHaveChangedIsNotUploaded() throws Exception {
        VerifiedObject patch = patch("p/base", 1000, onto(BASE_BYTES, BASE_TIME, 500));
        Damage.flip(patch.file(), 7);

        TargetRig.assertEnded(rig.attempt(patch), DeliveryOutcome.Later.class, "are not those of the commit");

        assertThat(Files.readAllBytes(file)).isEqualTo(base);
        assertNothingIsLeft();
    }

    @Test
    void aPatchOfAnotherVersionIsRefusedAndNothingIsChanged() throws Exception {
        VerifiedObject late = patch("p/base", 1000, onto(BASE_BYTES, BASE_TIME - 60_000, 500));
        VerifiedObject shorter = patch("p/base", 1000, onto(BASE_BYTES - 1, BASE_TIME, 500));
        VerifiedObject missing = patch("p/none", 1000, onto(BASE_BYTES, BASE_TIME, 500));

        for (VerifiedObject object : new VerifiedObject[] {late, shorter, missing}) {
            assertThat(rig.attempt(object)).isInstanceOf(DeliveryOutcome.Failed.class);
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(base);
        assertNothingIsLeft();
    }

    @Test
    void aBaseThatWasChangedSinceAnEarlierAttemptReadItIsLeftAlone() throws Exception {
        VerifiedObject patch = patch("p/base", 1000, appendedByDigest());
        Path merged = PatchPlan.merged(patch.file());
        Files.write(merged, Arrays.copyOf(base, BASE_BYTES + 1000)); // as an attempt leaves it that broke off
        Files.write(delivered("p/" + TargetRig.temporaryName(patch)), Arrays.copyOf(base, 1000));
        byte[] other = base.clone();
        other[3]++;
        Files.write(file, other);
        Files.setLastModifiedTime(file, FileTime.fromMillis(BASE_TIME));

        assertThat(rig.attempt(patch)).isInstanceOf(DeliveryOutcome.Failed.class);

        assertThat(Files.readAllBytes(file)).isEqualTo(other);
        assertNothingIsLeft();
    }

    private Map<String, String> appendedByDigest() {
        TreeDigest.Builder leaves = new TreeDigest.Builder();
        for (int at = 0; at < BASE_BYTES; at += MIB) {
            leaves.add(TreeDigest.leaf(ByteBuffer.wrap(base, at, Math.min(MIB, BASE_BYTES - at))));
        }
        return Map.of(
                Attributes.BASE_SIZE,
                Integer.toString(BASE_BYTES),
                Attributes.OFFSET,
                Integer.toString(BASE_BYTES),
                Attributes.BASE_DIGEST,
                leaves.root(BASE_BYTES, MIB).toString());
    }

    @Test
    void aBaseThatIsKnownByItsDigestIsComparedWithTheBytesThatAreThere() throws Exception {
        Map<String, String> known = appendedByDigest();
        byte[] other = base.clone();
        other[MIB]++;
        Files.write(file, other);
        assertThat(rig.attempt(patch("p/base", 1000, known))).isInstanceOf(DeliveryOutcome.Failed.class);
        assertThat(Files.readAllBytes(file)).isEqualTo(other);

        Files.write(file, base);
        VerifiedObject appended = patch("p/base", 1000, known);
        rig.deliver(appended);
        assertPatched(appended, BASE_BYTES);
    }

    @Test
    void aPatchOntoNothingMakesAFileOnce() throws Exception {
        Map<String, String> none = Map.of(Attributes.BASE_SIZE, Attributes.NO_BASE, Attributes.OFFSET, "3");
        VerifiedObject made = patch("new/file", 10, none);
        VerifiedObject again = patch("new/file", 10, none);

        rig.deliver(made);

        byte[] wanted = new byte[13];
        System.arraycopy(Files.readAllBytes(made.file()), 0, wanted, 3, 10);
        assertThat(Files.readAllBytes(delivered("new/file"))).isEqualTo(wanted);
        assertThat(rig.attempt(again)).isInstanceOf(DeliveryOutcome.Failed.class);
        assertNothingIsLeft();
    }

    @Test
    void aPatchWhoseBaseNobodyCanCompareIsRefused() throws Exception {
        VerifiedObject other = patch(
                "p/base",
                1000,
                Map.of(
                        Attributes.BASE_SIZE,
                        Integer.toString(BASE_BYTES),
                        Attributes.OFFSET,
                        "0",
                        Attributes.BASE_FINGERPRINT,
                        "1234-5678-91011"));

        TargetRig.assertEnded(rig.attempt(other), DeliveryOutcome.Failed.class, "Send the whole file");
    }
}

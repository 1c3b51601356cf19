package io.hawser.agentb.deliver.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarOptions.Timeouts;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.Secret;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.store.landing.ArrivingObject;
import io.hawser.store.landing.DeliveryOutcome;
import io.hawser.store.landing.VerifiedObject;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A target in front of a server, and landing files to deliver to it. */
final class TargetRig implements AutoCloseable {
    static final long MODIFIED_MILLIS = 1_600_000_000_000L;

    private final Path directory;
    private final Storage storage;
    private FtpTarget target;
    private final FarServer server;
    private final FarOptions options;
    private long number;

    TargetRig(Path directory, String url) throws IOException {
        this(directory, url, FarOptions.with(new Secret("a@b")));
    }

    TargetRig(Path directory, String url, FarOptions options) throws IOException {
        this(directory, url, options, new DiskStorage());
    }

    TargetRig(Path directory, String url, Storage storage) throws IOException {
        this(directory, url, FarOptions.with(new Secret("a@b")), storage);
    }

    TargetRig(Path directory, String url, FarOptions options, Storage storage) throws IOException {
        this.storage = storage;
        this.directory = Files.createDirectories(directory);
        this.server = FarServer.parse(url);
        this.options = options;
        this.target = FtpTarget.create(storage, server, options);
    }

    static FarOptions withSilence(Duration silence) {
        return FarOptions.with(new Secret("a@b")).withTimeouts(new Timeouts(silence.multipliedBy(2), silence));
    }

    FtpTarget target() {
        return target;
    }

    /** An object of random bytes that are the same for the same name and size. */
    VerifiedObject object(String name, int sizeBytes) throws IOException {
        return object(TransferKind.FILE, name, sizeBytes);
    }

    VerifiedObject object(TransferKind kind, String name, int sizeBytes) throws IOException {
        return object(kind, name, sizeBytes, Map.of(Attributes.MODIFIED_MILLIS, Long.toString(MODIFIED_MILLIS)));
    }

    VerifiedObject object(TransferKind kind, String name, int sizeBytes, Map<String, String> attributes)
            throws IOException {
        number++;
        TransferKey key = new TransferKey(new NodeId(1, 2), new TransferId(3, number));
        Path file = directory.resolve(key + ".part");
        byte[] bytes = new byte[sizeBytes];
        new Random(sizeBytes).nextBytes(bytes);
        Files.write(file, bytes);
        Manifest manifest =
                new Manifest(key, number, new Topic("t"), kind, name, List.of(name), sizeBytes, 1 << 20, attributes);
        Commit commit = new Commit(sizeBytes, Manifest.fragmentCount(sizeBytes, 1 << 20), digestOf(bytes));
        return new VerifiedObject(manifest, commit, file, false);
    }

    private static TransferDigest digestOf(byte[] bytes) {
        TreeDigest.Builder leaves = new TreeDigest.Builder();
        for (int at = 0; at < bytes.length; at += 1 << 20) {
            leaves.add(TreeDigest.leaf(ByteBuffer.wrap(bytes, at, Math.min(1 << 20, bytes.length - at))));
        }
        return leaves.root(bytes.length, 1 << 20);
    }

    /** An object without bytes. */
    VerifiedObject operation(TransferKind kind, String name, Map<String, String> attributes, boolean again) {
        number++;
        TransferKey key = new TransferKey(new NodeId(1, 2), new TransferId(3, number));
        Manifest manifest =
                new Manifest(key, number, new Topic("t"), kind, name, List.of(name), 0, 1 << 20, attributes);
        Commit commit = new Commit(0, 0, new TransferDigest(1 << 20, new byte[TransferDigest.LENGTH_BYTES]));
        return new VerifiedObject(manifest, commit, directory.resolve("none"), again);
    }

    /** The same object with more attributes. */
    static VerifiedObject with(VerifiedObject object, Map<String, String> more) {
        Manifest old = object.manifest();
        Map<String, String> all = new HashMap<>(old.attributes());
        all.putAll(more);
        Manifest manifest = new Manifest(
                old.key(),
                old.number(),
                old.topic(),
                old.kind(),
                old.name(),
                old.paths(),
                old.sizeBytes(),
                old.fragmentSizeBytes(),
                all);
        return new VerifiedObject(manifest, object.commit(), object.file(), object.offeredBefore());
    }

    /** The same object, offered again after a crash. */
    VerifiedObject again(VerifiedObject object) {
        return new VerifiedObject(object.manifest(), object.commit(), object.file(), true);
    }

    /** The same object, of which nothing has come in yet. */
    static ArrivingObject arriving(VerifiedObject object) {
        return new ArrivingObject(object.manifest(), object.file());
    }

    /** So much of it has come in. */
    void grow(ArrivingObject object, long bytes) {
        object.grewTo(bytes);
        target.arriving(object);
    }

    /** One attempt. */
    DeliveryOutcome attempt(VerifiedObject object) throws Exception {
        return begin(object).get(TestTimes.SECONDS, TimeUnit.SECONDS);
    }

    CompletableFuture<DeliveryOutcome> begin(VerifiedObject object) {
        CompletableFuture<DeliveryOutcome> result = new CompletableFuture<>();
        target.deliver(List.of(object), result::complete);
        return result;
    }

    /** The attempt ended so, for a reason with these words. */
    static void assertEnded(DeliveryOutcome outcome, Class<? extends DeliveryOutcome> how, String... words) {
        assertThat(outcome).isInstanceOf(how).asString().contains(words);
    }

    void deliver(VerifiedObject object) throws Exception {
        assertThat(attempt(object)).isEqualTo(new DeliveryOutcome.Delivered(object));
    }

    /** Tries until it is there, as the landing area does. */
    void deliverInTheEnd(VerifiedObject object) {
        await().atMost(TestTimes.LIMIT).until(() -> attempt(object), DeliveryOutcome.Delivered.class::isInstance);
    }

    /** As after a crash of agent-b: nothing of the old target is known any more. */
    void restart() throws IOException {
        target.close();
        target = FtpTarget.create(storage, server, options);
    }

    static String temporaryName(VerifiedObject object) {
        return ".hawser-" + object.key().id();
    }

    @Override
    public void close() {
        target.close();
    }
}

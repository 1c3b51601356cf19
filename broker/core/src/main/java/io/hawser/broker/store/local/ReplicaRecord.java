package io.hawser.broker.store.local;

import io.hawser.core.codec.FieldWriter;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import java.util.Objects;

/**
 * A far end's report that it has published a transfer. It is kept longer than the transfer, to answer which far ends have a file.
 *
 * @param key the transfer
 * @param subscription the far end
 * @param topic by which it went
 * @param kind what publishing it meant: {@code FILE}, {@code PATCH}, {@code DELETE} or {@code RENAME}
 * @param name what it was about
 * @param renamedTo the name that a rename gave; otherwise empty
 * @param sizeBytes as committed
 * @param digest as committed
 * @param epochMillis when, by the far end's clock
 * @param sequence of the receipt's record: of two deliveries to one far end the later has the higher
 */
record ReplicaRecord(
        TransferKey key,
        String subscription,
        Topic topic,
        TransferKind kind,
        String name,
        String renamedTo,
        long sizeBytes,
        TransferDigest digest,
        long epochMillis,
        long sequence) {
    /** The least that one takes. */
    static final int MIN_BYTES = 11 * Long.BYTES;

    /** Whether a transfer of that kind changes which far end has which file. */
    static boolean counts(TransferKind kind) {
        return switch (kind) {
            case FILE, PATCH, DELETE, RENAME -> true;
            case MESSAGE, MAKE_DIRECTORY, REMOVE_DIRECTORY, SET_TIME, SET_MODE -> false;
        };
    }

    /** What a receipt says of a committed transfer. */
    static ReplicaRecord of(IndexedTransfer state, Receipt receipt, long sequence) {
        Commit commit = Objects.requireNonNull(state.commit);
        return new ReplicaRecord(
                state.key(),
                receipt.subscription(),
                state.manifest.topic(),
                state.manifest.kind(),
                state.manifest.name(),
                state.manifest.attributes().getOrDefault(Attributes.RENAMED_TO, ""),
                commit.sizeBytes(),
                commit.digest(),
                receipt.epochMillis(),
                sequence);
    }

    void write(FieldWriter out) {
        out.key(key)
                .string(subscription)
                .string(topic.name())
                .u8(kind.code())
                .string(name)
                .string(renamedTo)
                .i64(sizeBytes)
                .i32(digest.fragmentSizeBytes())
                .raw(digest.root())
                .i64(epochMillis)
                .i64(sequence);
    }

    static ReplicaRecord read(BodyReader in) {
        TransferKey key = in.key();
        String subscription = in.string();
        String topic = in.string();
        int kind = in.u8();
        String name = in.string();
        String renamedTo = in.string();
        long sizeBytes = in.i64();
        int fragmentSizeBytes = in.i32();
        byte[] root = in.raw(TransferDigest.LENGTH_BYTES);
        long epochMillis = in.i64();
        long sequence = in.i64();
        return BodyReader.checked(
                "delivery",
                () -> new ReplicaRecord(
                        key,
                        subscription,
                        new Topic(topic),
                        TransferKind.of(kind),
                        name,
                        renamedTo,
                        sizeBytes,
                        new TransferDigest(fragmentSizeBytes, root),
                        epochMillis,
                        sequence));
    }
}

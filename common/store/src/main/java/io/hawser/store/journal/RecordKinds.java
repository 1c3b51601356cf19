package io.hawser.store.journal;

import io.hawser.core.codec.FieldReader;
import io.hawser.core.codec.FieldWriter;
import io.hawser.core.model.TransferKey;
import io.hawser.store.log.LogRecord;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.StorageException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of a role's records: each has a number from 1 to 127, a type, and the form of its body. The log's record has the kind and the
 * transfer's key; {@link io.hawser.core.codec} has the form of the fields. A number is never used again for another body: a change is a
 * new kind, or fields at the end of a body, which earlier versions do not read.
 *
 * <p>Thread: any, once the kinds are added.
 *
 * @param <R> the role's records
 */
public final class RecordKinds<R extends JournalRecord> {
    private final String journalName;
    private final Map<Integer, Kind<R, ? extends R>> byNumber = new HashMap<>();
    private final Map<Class<?>, Kind<R, ? extends R>> byType = new HashMap<>();

    /** Creates a table without kinds; {@code journalName} is how messages call the journal, such as "spool journal". */
    public RecordKinds(String journalName) {
        this.journalName = journalName;
    }

    /** Reads a body. */
    @FunctionalInterface
    public interface BodyReader<T> {
        /**
         * Reads the record of transfer {@code key}. What is malformed throws {@link IllegalArgumentException}, as {@link FieldReader} does.
         *
         * @throws FormatTooNewException if a later version wrote it
         */
        T read(TransferKey key, FieldReader in) throws FormatTooNewException;
    }

    private interface NullableKeyReader<R> {
        R read(@Nullable TransferKey key, FieldReader in) throws FormatTooNewException;
    }

    private record Kind<R, T extends R>(
            int number, Class<T> type, BiConsumer<T, FieldWriter> writer, NullableKeyReader<R> reader) {
        byte[] body(R record) {
            FieldWriter out = new FieldWriter();
            writer.accept(type.cast(record), out);
            return out.toBytes();
        }
    }

    /** Adds a kind of records about a transfer. */
    public <T extends R> RecordKinds<R> add(
            int number, Class<T> type, BiConsumer<T, FieldWriter> writer, BodyReader<T> reader) {
        return add(new Kind<R, T>(number, type, writer, (key, in) -> {
            if (key == null) {
                throw new IllegalArgumentException("no transfer key");
            }
            return reader.read(key, in);
        }));
    }

    /** Adds a kind of records about no transfer. */
    public <T extends R> RecordKinds<R> addWithoutKey(
            int number, Class<T> type, BiConsumer<T, FieldWriter> writer, Function<FieldReader, T> reader) {
        return add(new Kind<R, T>(number, type, writer, (key, in) -> reader.apply(in)));
    }

    private RecordKinds<R> add(Kind<R, ? extends R> kind) {
        if (byNumber.put(kind.number(), kind) != null || byType.put(kind.type(), kind) != null) {
            throw new IllegalArgumentException("there is a kind " + kind.number() + " or " + kind.type());
        }
        return this;
    }

    private Kind<R, ? extends R> kindOf(R record) {
        return Objects.requireNonNull(byType.get(record.getClass()), () -> record.getClass() + " has no kind");
    }

    /** The kind of {@code record}. */
    public int number(R record) {
        return kindOf(record).number();
    }

    /** The body of {@code record}. */
    public byte[] encode(R record) {
        return kindOf(record).body(record);
    }

    /**
     * Reads a record back.
     *
     * @throws FormatTooNewException if a later version wrote it
     * @throws CorruptRecordException if it is not one of these
     */
    public R decode(LogRecord record) throws StorageException {
        Kind<R, ? extends R> kind = byNumber.get(record.kind());
        if (kind == null) {
            throw new FormatTooNewException(journalName + ": the record at " + record.position() + " has kind "
                    + record.kind() + ". A later version of Hawser wrote it; use that one.");
        }
        try {
            return kind.reader().read(record.key(), new FieldReader(record.body()));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new CorruptRecordException(
                    journalName + ": the record of kind " + record.kind() + " at " + record.position()
                            + " cannot be read: " + e.getMessage(),
                    e);
        }
    }
}

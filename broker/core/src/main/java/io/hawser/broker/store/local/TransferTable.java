package io.hawser.broker.store.local;

import io.hawser.broker.relay.RelayStore.KeptReceipt;
import io.hawser.core.collection.EvictingMap;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.StorageException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tables of transfers, of what subscriptions are owed, and of kept receipts.
 *
 * <p>A page is read in the order of an index, whose columns the query names all: otherwise H2 sorts all that follows for each page.
 *
 * <p>Thread: index only.
 */
final class TransferTable {
    static final String[] SCHEMA = {
        "CREATE TABLE IF NOT EXISTS transfer(k BINARY(32) PRIMARY KEY, seq BIGINT NOT NULL, opened BIGINT NOT NULL,"
                + " changed BIGINT NOT NULL, first_segment BIGINT NOT NULL, topic VARCHAR(128) NOT NULL,"
                + " state TINYINT NOT NULL, chk INT NOT NULL, body VARBINARY(1048576) NOT NULL)",
        "CREATE INDEX IF NOT EXISTS transfer_topic ON transfer(topic, state, seq)",
        "CREATE TABLE IF NOT EXISTS owed(subscription VARCHAR(128), seq BIGINT, k BINARY(32) NOT NULL,"
                + " chk INT NOT NULL, PRIMARY KEY(subscription, seq))",
        "CREATE TABLE IF NOT EXISTS receipt(publisher BINARY(16), seq BIGINT, k BINARY(32) NOT NULL,"
                + " chk INT NOT NULL, PRIMARY KEY(publisher, seq))",
    };

    /** What a database is asked by when it is filled. */
    static final String[] INDEXES = {
        "CREATE INDEX IF NOT EXISTS transfer_open ON transfer(state, changed)",
        "CREATE INDEX IF NOT EXISTS transfer_segment ON transfer(first_segment)",
        "CREATE INDEX IF NOT EXISTS transfer_opened ON transfer(opened)",
    };

    /** The state column. */
    static final int OPEN = 1;

    static final int UNCLAIMED = 2;
    static final int KEPT = 3;
    static final int RELEASED = 4;
    /** Open too, but of unknown size, and some of its bytes are here: it may be asked to give its room up. */
    static final int GROWING = 5;

    /** What {@link #readTransfer} reads. */
    private static final String ALL_OF_IT =
            "SELECT body, first_segment, k, chk, seq, opened, changed, topic, state FROM transfer";

    /** Begins with a column by which a row is found: H2 takes it from that index, and not yet from the row. */
    private static final String FOUND_BY = ALL_OF_IT.replace("SELECT ", "SELECT %s AS entry, ");

    private static final int MAX_PUBLISHERS = 1024;

    private final SqlStatements sql;
    private final ExtentTable runs;
    /** Of each publisher an id that no row's is above: ids grow with time, so most new transfers are known not to be here. */
    private final Map<NodeId, TransferId> noneAbove = new EvictingMap<>(MAX_PUBLISHERS);

    TransferTable(SqlStatements sql, ExtentTable runs) {
        this.sql = sql;
        this.runs = runs;
    }

    @Nullable
    IndexedTransfer load(TransferKey key) {
        if (key.id().compareTo(noneAbove.computeIfAbsent(key.publisher(), this::largest)) > 0) {
            return null;
        }
        byte[] k = H2Index.bytes(key);
        IndexedTransfer state = sql.first(ALL_OF_IT + " WHERE k = ?", TransferTable::readTransfer, (Object) k);
        if (state != null) {
            state.stored = true;
            state.storedRuns = true;
            state.storedSegment = state.firstSegment;
            state.storedOwed.addAll(state.owed);
            state.receipts.values().forEach(kept -> state.storedReceipts.add(kept.sequence()));
        }
        return state;
    }

    private TransferId largest(NodeId publisher) {
        byte[] k = sql.first(
                "SELECT k FROM transfer WHERE k >= ? AND k <= ? ORDER BY k DESC LIMIT 1",
                row -> row.getBytes(1),
                first(publisher),
                last(publisher));
        return k == null ? new TransferId(0, 0) : H2Index.key(k).id();
    }

    private static byte[] first(NodeId publisher) {
        return H2Index.bytes(new TransferKey(publisher, new TransferId(0, 0)));
    }

    private static byte[] last(NodeId publisher) {
        return H2Index.bytes(new TransferKey(publisher, new TransferId(-1, -1)));
    }

    private static IndexedTransfer readTransfer(ResultSet row) throws SQLException {
        byte[] body = row.getBytes("body");
        long segment = row.getLong("first_segment");
        new RowChecksum()
                .bytes(body)
                .bytes(row.getBytes("k"))
                .longs(segment, row.getLong("seq"), row.getLong("opened"), row.getLong("changed"), row.getInt("state"))
                .text(row.getString("topic"))
                .check(row.getInt("chk"), "transfer");
        try {
            return BodyReader.read(body, in -> IndexedTransfer.read(in, segment));
        } catch (StorageException e) {
            throw new IndexFailedException("a transfer in the index cannot be read", e);
        }
    }

    /** Writes what has changed of {@code state} since it was loaded or written last. */
    void save(IndexedTransfer state) {
        byte[] k = H2Index.bytes(state.key());
        if (state.removed) {
            delete(state, k);
            return;
        }
        noneAbove.computeIfPresent(
                state.key().publisher(),
                (publisher, id) ->
                        id.compareTo(state.key().id()) < 0 ? state.key().id() : id);
        byte[] body = state.toBytes();
        sql.update(
                "MERGE INTO transfer(k, seq, opened, changed, first_segment, topic, state, chk, body) KEY(k)"
                        + " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
                k,
                state.commitSequence,
                state.openedMillis,
                state.changedMillis,
                state.firstSegment,
                state.manifest.topic().name(),
                column(state),
                new RowChecksum()
                        .bytes(body)
                        .bytes(k)
                        .longs(
                                state.firstSegment,
                                state.commitSequence,
                                state.openedMillis,
                                state.changedMillis,
                                column(state))
                        .text(state.manifest.topic().name())
                        .value(),
                body);
        saveOwed(state, k);
        saveReceipts(state, k);
        runs.save(state.key(), state.newRuns);
        if (state.released && (state.storedRuns || !state.newRuns.isEmpty())) {
            runs.deleteAll(state.key());
        }
        state.storedRuns = !state.released;
        state.newRuns.clear();
        state.storedSegment = state.firstSegment;
        state.stored = true;
    }

    private static int column(IndexedTransfer state) {
        if (!state.committed()) {
            return !state.manifest.sizeKnown() && state.keptBytes > 0 ? GROWING : OPEN;
        }
        if (state.unclaimed()) {
            return UNCLAIMED;
        }
        return state.released ? RELEASED : KEPT;
    }

    private void delete(IndexedTransfer state, byte[] k) {
        if (!state.stored) {
            return;
        }
        state.owed.clear();
        state.receipts.clear();
        saveOwed(state, k);
        saveReceipts(state, k);
        runs.deleteAll(state.key());
        sql.update("DELETE FROM transfer WHERE k = ?", (Object) k);
        state.stored = false;
    }

    private void saveOwed(IndexedTransfer state, byte[] k) {
        for (String subscription : state.owed) {
            if (!state.storedOwed.contains(subscription)) {
                sql.update(
                        "MERGE INTO owed(subscription, seq, k, chk) KEY(subscription, seq) VALUES(?, ?, ?, ?)",
                        subscription,
                        state.commitSequence,
                        k,
                        owedChecksum(subscription, state.commitSequence, k).value());
            }
        }
        for (String subscription : state.storedOwed) {
            if (!state.owed.contains(subscription)) {
                sql.update("DELETE FROM owed WHERE subscription = ? AND seq = ?", subscription, state.commitSequence);
            }
        }
        state.storedOwed.clear();
        state.storedOwed.addAll(state.owed);
    }

    static RowChecksum owedChecksum(String subscription, long sequence, byte[] k) {
        return new RowChecksum().text(subscription).longs(sequence).bytes(k);
    }

    static RowChecksum receiptChecksum(byte[] publisher, long sequence, byte[] k) {
        return new RowChecksum().bytes(publisher).longs(sequence).bytes(k);
    }

    private void saveReceipts(IndexedTransfer state, byte[] k) {
        byte[] publisher = H2Index.bytes(state.key().publisher());
        List<Long> now = new ArrayList<>();
        for (KeptReceipt kept : state.receipts.values()) {
            now.add(kept.sequence());
            if (!state.storedReceipts.contains(kept.sequence())) {
                sql.update(
                        "MERGE INTO receipt(publisher, seq, k, chk) KEY(publisher, seq) VALUES(?, ?, ?, ?)",
                        publisher,
                        kept.sequence(),
                        k,
                        receiptChecksum(publisher, kept.sequence(), k).value());
            }
        }
        for (long sequence : state.storedReceipts) {
            if (!now.contains(sequence)) {
                sql.update("DELETE FROM receipt WHERE publisher = ? AND seq = ?", publisher, sequence);
            }
        }
        state.storedReceipts.clear();
        state.storedReceipts.addAll(now);
    }

    /** Transfers in the order of their keys, after that one; from the first on if it is null. */
    List<IndexedTransfer> page(@Nullable TransferKey after, int limit) {
        return sql.list(
                FOUND_BY.formatted("k") + " WHERE k > ? ORDER BY k LIMIT ?",
                row -> {
                    IndexedTransfer transfer = readTransfer(row);
                    checkEntry(Arrays.equals(row.getBytes("entry"), H2Index.bytes(transfer.key())), transfer);
                    return transfer;
                },
                after == null ? new byte[0] : H2Index.bytes(after),
                limit);
    }

    /** All transfers whose bytes are still needed, one at a time. */
    void forEachUnreleased(Consumer<IndexedTransfer> each) {
        sql.lazily(ALL_OF_IT + " WHERE state <> " + RELEASED, row -> each.accept(readTransfer(row)));
    }

    /** Open transfers of unknown size of which bytes are here, those first that have stood still for longest. */
    List<TransferKey> growing(BiPredicate<NodeId, Topic> wanted, int limit) {
        List<TransferKey> found = new ArrayList<>();
        sql.search("SELECT k, topic FROM transfer WHERE state = " + GROWING + " ORDER BY state, changed", row -> {
            TransferKey key = H2Index.key(row.getBytes(1));
            if (wanted.test(key.publisher(), new Topic(row.getString(2)))) {
                found.add(key);
            }
            return found.size() < limit;
        });
        return found;
    }

    boolean hasOf(NodeId publisher) {
        return !keys("SELECT k FROM transfer WHERE k >= ? AND k <= ? LIMIT 1", first(publisher), last(publisher))
                .isEmpty();
    }

    /** Checks all rows, and that {@link #transfersUpTo} finds each by its segment. */
    void eachBySegment(Runnable each) {
        sql.lazily(FOUND_BY.formatted("first_segment") + " ORDER BY first_segment", row -> {
            IndexedTransfer transfer = readTransfer(row);
            checkEntry(row.getLong("entry") == transfer.firstSegment, transfer);
            each.run();
        });
    }

    private static void checkEntry(boolean same, IndexedTransfer transfer) {
        if (!same) {
            throw new IndexFailedException(
                    "an index of table transfer does not agree with the row of " + transfer.key());
        }
    }

    /** Transfers whose state needs {@code segment} or an older one. */
    List<TransferKey> transfersUpTo(long segment, int limit) {
        return keys("SELECT k FROM transfer WHERE first_segment <= ? LIMIT ?", segment, limit);
    }

    List<TransferKey> owed(String subscription, long afterSequence, int limit) {
        return keys(
                "SELECT k FROM owed WHERE subscription = ? AND seq > ? ORDER BY subscription, seq LIMIT ?",
                subscription,
                afterSequence,
                limit);
    }

    /** Transfers of a topic in a state, after a commit sequence, ascending by it. */
    List<TransferKey> ofTopic(Topic topic, int state, long afterSequence, int limit) {
        return keys(
                "SELECT k FROM transfer WHERE topic = ? AND state = ? AND seq > ? ORDER BY topic, state, seq LIMIT ?",
                topic.name(),
                state,
                afterSequence,
                limit);
    }

    List<TransferKey> openSince(long epochMillis, int limit) {
        List<TransferKey> found = new ArrayList<>(changedBefore(GROWING, epochMillis, limit));
        found.addAll(changedBefore(OPEN, epochMillis, limit - found.size()));
        return found;
    }

    List<TransferKey> unclaimedSince(long epochMillis, boolean onlyReplies, int limit) {
        return onlyReplies
                ? keys(
                        "SELECT k FROM transfer WHERE state = ? AND changed < ? AND topic >= ? AND topic < ?"
                                + " ORDER BY state, changed LIMIT ?",
                        UNCLAIMED,
                        epochMillis,
                        Topic.REPLIES,
                        Topic.AFTER_REPLIES,
                        limit)
                : changedBefore(UNCLAIMED, epochMillis, limit);
    }

    private List<TransferKey> changedBefore(int state, long epochMillis, int limit) {
        return keys(
                "SELECT k FROM transfer WHERE state = ? AND changed < ? ORDER BY state, changed LIMIT ?",
                state,
                epochMillis,
                limit);
    }

    /** Those whose bytes are no longer needed, those that have not changed for longest first. */
    List<TransferKey> released(int limit) {
        return changedBefore(RELEASED, Long.MAX_VALUE, limit);
    }

    List<TransferKey> latest(int limit) {
        return keys("SELECT k FROM transfer ORDER BY opened DESC LIMIT ?", limit);
    }

    /** A transfer that a search looked at. */
    record SearchedRow(TransferKey key, long openedMillis, boolean wanted) {}

    /** Looks at transfers that were begun at a time or before it, those begun last first, without the first {@code skip}. */
    List<SearchedRow> search(Predicate<Manifest> wanted, long openedMillis, long skip, int limit) {
        return sql.list(
                ALL_OF_IT + " WHERE opened <= ? ORDER BY opened DESC LIMIT ? OFFSET ?",
                row -> new SearchedRow(
                        H2Index.key(row.getBytes(3)), row.getLong(6), wanted.test(readTransfer(row).manifest)),
                openedMillis,
                limit,
                skip);
    }

    /** A receipt's number and the transfer that it is kept with. */
    record ReceiptRow(long sequence, TransferKey key) {}

    List<ReceiptRow> receipts(NodeId publisher, long afterSequence, int limit) {
        return sql.list(
                "SELECT seq, k FROM receipt WHERE publisher = ? AND seq > ? ORDER BY publisher, seq LIMIT ?",
                row -> new ReceiptRow(row.getLong(1), H2Index.key(row.getBytes(2))),
                H2Index.bytes(publisher),
                afterSequence,
                limit);
    }

    private List<TransferKey> keys(String query, Object... values) {
        return sql.list(query, row -> H2Index.key(row.getBytes(1)), values);
    }
}

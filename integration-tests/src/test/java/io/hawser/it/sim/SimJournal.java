package io.hawser.it.sim;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An append-only file with group commit. Records are appended, written together, forced together, and only then called
 * durable, in their order. A crash keeps what was forced and a prefix of what was written; a failed force ends the file's
 * life in this process.
 *
 * @param <R> the records
 */
final class SimJournal<R extends SimJournal.Entry> {
    /** What is in a journal. */
    interface Entry {
        /** The bytes go to the disk now: a record that borrows memory copies it and gives it back. */
        default void written() {}
    }

    private record Waiting(int end, Outcome.Callback<Long> done) {}

    private final SimNode node;
    /** Told of each durable record, in order, with its sequence number. */
    private final Fold<R> fold;

    private final List<R> records = new ArrayList<>();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private int written;
    private int durable;
    /** Null where the file is a model. */
    private final @Nullable FormatFile format;

    private boolean forcing;
    private boolean failed;
    /** From where on records are in the page cache alone, if a planted bug believes it. */
    private int lostFrom = Integer.MAX_VALUE;

    /** Takes durable records. */
    interface Fold<R> {
        void apply(R record, long sequence);
    }

    SimJournal(SimNode node, Fold<R> fold) {
        this.node = node;
        this.fold = fold;
        this.format = node.chain.plan.kind == ScheduleKind.FORMAT ? new FormatFile(node) : null;
    }

    boolean failed() {
        return failed;
    }

    /** How many records are on stable storage. */
    int durableCount() {
        return durable;
    }

    void append(R record, Outcome.Callback<Long> done) {
        if (failed) {
            refuse(done);
            return;
        }
        records.add(record);
        waiting.add(new Waiting(records.size(), done));
        kick();
    }

    /** Calls back when all that was appended so far is durable. */
    void barrier(Runnable done) {
        if (failed || waiting.isEmpty()) {
            node.post(node.chain.quick(), done);
        } else {
            waiting.add(new Waiting(records.size(), outcome -> done.run()));
        }
    }

    /** Calls back with the sequence number that this record will have, before it is durable: only planted bugs do so. */
    void appendCarelessly(R record, Outcome.Callback<Long> done) {
        append(record, outcome -> {});
        long sequence = records.size();
        node.post(node.chain.quick(), () -> done.accept(Outcome.of(sequence)));
    }

    private void kick() {
        if (!forcing && !waiting.isEmpty()) {
            forcing = true;
            node.post(node.chain.quick(), this::write);
        }
    }

    private void write() {
        if (format != null) {
            int first = written;
            writeOut();
            format.write(records.subList(first, written));
            settle(format);
            return;
        }
        writeOut();
        int end = written;
        node.post(node.chain.slow(), () -> {
            if (node.chain.strikes(Fault.FORCE_FAILED, 60)) {
                fail(end);
            } else {
                forced(end);
            }
        });
    }

    private void writeOut() {
        while (written < records.size()) {
            records.get(written++).written();
        }
    }

    /** What has become durable is told; what waits for a force gets it in a while. */
    private void settle(FormatFile file) {
        if (file.hasFailed()) {
            fail(written);
        } else if (file.awaitsForce()) {
            callBackDurable(file.durableCount());
            node.post(node.chain.slow(), () -> {
                file.force();
                settle(file);
            });
        } else {
            forced(file.durableCount());
        }
    }

    private void callBackDurable(int end) {
        foldUpTo(end);
        callBack(end);
    }

    private void forced(int end) {
        foldUpTo(end);
        forcing = false;
        callBack(end);
        kick();
    }

    private void foldUpTo(int end) {
        while (durable < end) {
            R record = records.get(durable++);
            node.chain.trace(node, "has durable", record);
            fold.apply(record, durable);
        }
    }

    private void callBack(int end) {
        while (!waiting.isEmpty() && waiting.getFirst().end <= end) {
            Waiting first = waiting.removeFirst();
            first.done.accept(Outcome.of((long) first.end));
        }
    }

    /** The disk could not say that the bytes are there: nothing is called durable in this process any more. */
    private void fail(int end) {
        if (node.chain.plan.bug == PlantedBug.FORCE_RETRIED) {
            // The second force "succeeds", and the pages are gone.
            forcing = false;
            callBack(end);
            kick();
            return;
        }
        failed = true;
        writeOut();
        boolean cacheTrusted = node.chain.plan.bug == PlantedBug.CACHE_TRUSTED_AFTER_FAILED_FORCE;
        if (cacheTrusted) {
            lostFrom = Math.min(lostFrom, durable);
        }
        List<Waiting> all = List.copyOf(waiting);
        waiting.clear();
        all.forEach(one -> refuse(one.done));
        // The node halts and is started again; recovery reads what is really there.
        boolean powerCut = format == null ? !cacheTrusted : node.chain.random.nextBoolean();
        node.post(5 * Plan.MILLIS, () -> node.crash(powerCut));
    }

    private void refuse(Outcome.Callback<Long> done) {
        node.post(node.chain.quick(), () -> done.accept(Outcome.refused(ErrorCode.STORAGE_FAILED, "the disk failed")));
    }

    /** The machine is a new one: there is no file. Only while its process is down. */
    void wipe() {
        if (format != null) {
            format.wipe();
        }
        records.clear();
        written = 0;
        durable = 0;
    }

    /** What is left of the file when the process ends. */
    void crash(boolean powerCut) {
        if (format != null) {
            format.crash(powerCut);
            forget(written); // what is left of the others is seen when the file is opened
            return;
        }
        int kept = durable + node.chain.surviving(written - durable, powerCut);
        if (powerCut && lostFrom < kept) {
            kept = lostFrom;
            durable = Math.min(durable, kept);
            lostFrom = Integer.MAX_VALUE;
        }
        if (node.chain.plan.bug == PlantedBug.RECOVERY_CUTS_TOO_MUCH) {
            kept = Math.max(0, kept - 1);
            durable = Math.min(durable, kept);
        }
        if (kept < records.size()) {
            node.chain.count(Fault.UNFORCED_WRITES_LOST);
        }
        forget(kept);
    }

    /** Of the records only the first so many are left. */
    private void forget(int kept) {
        for (int lost = written; lost < records.size(); lost++) {
            records.get(lost).written(); // gives back what it borrowed
        }
        records.subList(kept, records.size()).clear();
        written = kept;
        waiting.clear();
        forcing = false;
        failed = false;
    }

    /** Whether the file could be opened; else the node dies again. */
    private boolean isRecovered(FormatFile file) {
        int found = file.recover(durable);
        if (found < 0) {
            node.crash(node.chain.random.nextBoolean());
            return false;
        }
        forget(found);
        return true;
    }

    /** At the end of a schedule. */
    void close() {
        if (format != null) {
            format.close();
        }
    }

    /** Reads the file after a crash, forces what it found, and then calls {@code ready}. */
    void recover(Runnable ready) {
        boolean careless = node.chain.plan.bug == PlantedBug.ANNOUNCE_BEFORE_RESYNC;
        node.post(careless ? 1 : node.chain.slow(), () -> {
            if (format != null && !isRecovered(format)) {
                return;
            }
            int end = records.size();
            int known = node.chain.plan.bug == PlantedBug.INDEX_TRUSTED ? node.chain.random.nextInt(end + 1) : end;
            for (int i = 0; i < known; i++) {
                fold.apply(records.get(i), i + 1L);
            }
            if (!careless) {
                durable = end;
            }
            written = end;
            ready.run();
        });
    }
}

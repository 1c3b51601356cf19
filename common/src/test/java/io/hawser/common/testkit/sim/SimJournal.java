package io.hawser.common.testkit.sim;

import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

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

    private void forced(int end) {
        while (durable < end) {
            R record = records.get(durable++);
            node.chain.trace(node, "has durable", record);
            fold.apply(record, durable);
        }
        forcing = false;
        callBack(end);
        kick();
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
        node.post(5 * Plan.MILLIS, () -> node.crash(!cacheTrusted));
    }

    private void refuse(Outcome.Callback<Long> done) {
        node.post(node.chain.quick(), () -> done.accept(Outcome.refused(ErrorCode.STORAGE_FAILED, "the disk failed")));
    }

    /** The machine is a new one: there is no file. Only while its process is down. */
    void wipe() {
        records.clear();
        written = 0;
        durable = 0;
    }

    /** What is left of the file when the process ends. */
    void crash(boolean powerCut) {
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
        for (int lost = written; lost < records.size(); lost++) {
            records.get(lost).written(); // gives back what it borrowed
        }
        if (kept < records.size()) {
            node.chain.count(Fault.UNFORCED_WRITES_LOST);
            records.subList(kept, records.size()).clear();
        }
        written = kept;
        waiting.clear();
        forcing = false;
        failed = false;
    }

    /** Reads the file after a crash, forces what it found, and then calls {@code ready}. */
    void recover(Runnable ready) {
        boolean careless = node.chain.plan.bug == PlantedBug.ANNOUNCE_BEFORE_RESYNC;
        node.post(careless ? 1 : node.chain.slow(), () -> {
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

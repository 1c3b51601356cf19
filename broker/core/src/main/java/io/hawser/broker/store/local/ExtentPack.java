package io.hawser.broker.store.local;

import io.hawser.store.log.LogPosition;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The extents of one transfer that lie near each other in one segment: one row of the index. Fragments from several streams are
 * interleaved in the log, so most extents have one fragment, and one row for each would dominate the index's cost.
 *
 * @param runs at least one, ascending by their start; none reaches {@link #MAX_SPAN} fragments beyond the first one's start
 */
record ExtentPack(List<Extent> runs) {
    /** A look-up need not look further back. */
    static final int MAX_SPAN = 256;

    /** A fragment may be there often. */
    private static final int MAX_RUNS = 256;

    /** Four numbers each. */
    private static final int MAX_RUN_BYTES = 4 * 10;

    private static final int MORE = 0x80;
    private static final int LOW_BITS = 0x7F;
    private static final int BITS = 7;

    /** Packs runs in any order; one that is too long is cut. */
    static List<ExtentPack> of(List<Extent> runs) {
        List<Extent> sorted = new ArrayList<>(runs.size());
        for (Extent run : runs) {
            for (long from = 0; from < run.count(); from += MAX_SPAN) {
                long start = run.start() + from;
                sorted.add(new Extent(
                        start, Math.min(MAX_SPAN, run.count() - from), run.positionOf(start), run.strideBytes()));
            }
        }
        sorted.sort(Comparator.comparingLong((Extent run) -> run.first().segment())
                .thenComparingLong(Extent::start)
                .thenComparing(Extent::first));
        List<ExtentPack> packs = new ArrayList<>();
        int begun = 0;
        for (int i = 1; i <= sorted.size(); i++) {
            if (i == sorted.size() || i - begun >= MAX_RUNS || !fits(sorted.get(begun), sorted.get(i))) {
                packs.add(new ExtentPack(List.copyOf(sorted.subList(begun, i))));
                begun = i;
            }
        }
        return packs;
    }

    private static boolean fits(Extent first, Extent next) {
        return next.first().segment() == first.first().segment()
                && next.start() + next.count() <= first.start() + MAX_SPAN;
    }

    long start() {
        return runs.get(0).start();
    }

    /** The index after the last fragment. */
    long end() {
        long end = 0;
        for (Extent run : runs) {
            end = Math.max(end, run.start() + run.count());
        }
        return end;
    }

    /** Where its first run begins; no other pack begins there. */
    LogPosition first() {
        return runs.get(0).first();
    }

    /** The runs, relative to {@link #start} and {@link #first}. */
    byte[] encoded() {
        ByteBuffer out = ByteBuffer.allocate(runs.size() * MAX_RUN_BYTES);
        long start = start();
        long offset = first().offset();
        for (Extent run : runs) {
            put(out, run.start() - start);
            put(out, run.count());
            long difference = run.first().offset() - offset;
            put(out, (difference << 1) ^ (difference >> (Long.SIZE - 1)));
            put(out, run.strideBytes());
            start = run.start();
            offset = run.first().offset();
        }
        byte[] bytes = new byte[out.position()];
        out.flip().get(bytes);
        return bytes;
    }

    static ExtentPack decoded(long start, LogPosition first, byte[] encoded) {
        ByteBuffer in = ByteBuffer.wrap(encoded);
        List<Extent> runs = new ArrayList<>();
        long at = start;
        long offset = first.offset();
        try {
            while (in.hasRemaining()) {
                long step = get(in);
                at += step;
                long count = get(in);
                boolean near = step >= 0 && step < MAX_SPAN && count >= 1 && count <= MAX_SPAN;
                if (!near || at - start + count > MAX_SPAN) {
                    throw new IllegalArgumentException("a run of " + count + " at " + at + " of a row at " + start);
                }
                long difference = get(in);
                offset += (difference >>> 1) ^ -(difference & 1);
                runs.add(new Extent(at, count, new LogPosition(first.segment(), offset), get(in)));
            }
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new IndexFailedException("places of fragments in the index cannot be read", e);
        }
        if (runs.isEmpty()) {
            throw new IndexFailedException("a row of table fragment_run says nothing");
        }
        return new ExtentPack(List.copyOf(runs));
    }

    private static void put(ByteBuffer out, long value) {
        long rest = value;
        while ((rest & ~LOW_BITS) != 0) {
            out.put((byte) ((rest & LOW_BITS) | MORE));
            rest >>>= BITS;
        }
        out.put((byte) rest);
    }

    private static long get(ByteBuffer in) {
        long value = 0;
        int shift = 0;
        int next = in.get();
        while ((next & MORE) != 0) {
            if (shift + BITS >= Long.SIZE) {
                throw new IllegalArgumentException("a number of more than " + Long.SIZE + " bits");
            }
            value |= (long) (next & LOW_BITS) << shift;
            shift += BITS;
            next = in.get();
        }
        return value | ((long) next << shift);
    }
}

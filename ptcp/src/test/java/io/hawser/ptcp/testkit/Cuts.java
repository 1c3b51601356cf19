package io.hawser.ptcp.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Cuts bytes into pieces as a network might; the bytes themselves decide where, so that an input says everything. */
public final class Cuts {
    private static final int LARGEST = 40;

    private Cuts() {}

    /** The same bytes in pieces of 1 to {@value #LARGEST} bytes. */
    public static List<byte[]> of(byte[] bytes) {
        List<byte[]> pieces = new ArrayList<>();
        int state = bytes.length;
        int from = 0;
        while (from < bytes.length) {
            state = state * 31 + bytes[from];
            int length = Math.min(1 + Math.floorMod(state, LARGEST), bytes.length - from);
            pieces.add(Arrays.copyOfRange(bytes, from, from + length));
            from += length;
        }
        return pieces;
    }
}

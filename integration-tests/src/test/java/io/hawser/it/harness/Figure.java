package io.hawser.it.harness;

/**
 * Lines in which suites say how much they have done and what came of it. {@code .ci/run} adds them up, or takes the largest, and prints them
 * at its end. They assert nothing. Thread: any.
 */
public final class Figure {
    private Figure() {}

    /** Adds up over all that print it. */
    public static void sum(String name, long value) {
        print("sum", name, value);
    }

    /** Of all that print it the largest counts. */
    public static void most(String name, long value) {
        print("most", name, value);
    }

    private static void print(String how, String name, long value) {
        System.out.println("FIGURE " + how + " " + name + " = " + value);
    }
}

package io.hawser.ops.cli;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The terminal of this process, by way of {@code stty}: its size, and whether keys come one by one. It is asked at {@code /dev/tty}, because
 * the standard streams may be pipes.
 *
 * <p>Thread: any.
 */
public final class TerminalDevice {
    static final File TTY = new File("/dev/tty");
    private static final int DEFAULT_COLUMNS = 80;
    private static final int DEFAULT_ROWS = 24;
    private static final int STTY_SECONDS = 2;
    /** Keys one by one and unseen; Ctrl-C stays a signal. */
    private static final List<String> KEYS = List.of("-icanon", "-echo", "min", "0", "time", "0");

    private TerminalDevice() {}

    /** Whether it moves its cursor when it is told to. */
    public static boolean takesEscapes() {
        String kind = System.getenv("TERM");
        return kind != null && !kind.isEmpty() && !kind.equals("dumb");
    }

    /** Its width in characters; 80 if it does not say. */
    public static int columns() {
        return size().columns();
    }

    /** Its size in characters; 80 by 24 if it does not say. */
    public static Size size() {
        return stty(List.of("size"))
                .map(TerminalDevice::parse)
                .filter(size -> size.columns() > 0 && size.rows() > 0)
                .orElse(new Size(DEFAULT_COLUMNS, DEFAULT_ROWS));
    }

    /** A size in characters. */
    public record Size(int columns, int rows) {}

    static Size parse(String text) {
        String[] numbers = text.strip().split(" ");
        return numbers.length == 2 && numbers[0].matches("[0-9]{1,5}") && numbers[1].matches("[0-9]{1,5}")
                ? new Size(Integer.parseInt(numbers[1]), Integer.parseInt(numbers[0]))
                : new Size(0, 0);
    }

    /**
     * Has keys come one by one and unseen.
     *
     * @return its settings before, for {@link #restore}; empty if there is no terminal
     */
    static Optional<String> takeKeys() {
        Optional<String> before = stty(List.of("-g")).map(String::strip);
        return before.isPresent() && stty(KEYS).isPresent() ? before : Optional.empty();
    }

    static void restore(String settings) {
        Optional<String> unused = stty(List.of(settings));
    }

    /** What it prints; empty if it fails. */
    private static Optional<String> stty(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of("stty"));
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(TTY)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            boolean well = process.waitFor(STTY_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
            return well ? Optional.of(printed) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // no terminal, or no stty: what is asked then has a default
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}

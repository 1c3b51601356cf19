package io.hawser.release.drill;

import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** A node of the drill's own chain. Thread: one. */
record OwnNode(ProcessChain chain, Part part) implements Victim {
    private static final int START_TRIES = 3;

    @Override
    public void kill() {
        chain.kill(part);
    }

    @Override
    public OptionalLong start() throws IOException {
        long began = System.nanoTime();
        for (int i = 1; ; i++) {
            try {
                chain.start(part);
                return OptionalLong.of(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
            } catch (IllegalStateException e) {
                // Somebody else may have got its port while it was away.
                String message = String.valueOf(e.getMessage());
                if (i == START_TRIES || !message.contains("in use")) {
                    // The end of the log would be a page in the report; the log stays.
                    String first = message.lines().findFirst().orElse("").replace("; its log ends with:", "");
                    throw new IOException(first + "; its log is " + chain.logFile(part), e);
                }
            }
        }
    }

    @Override
    public void pause() throws IOException, InterruptedException {
        Shell.signal("STOP", chain.node(part).pid());
    }

    @Override
    public void resume() throws IOException, InterruptedException {
        Shell.signal("CONT", chain.node(part).pid());
    }

    @Override
    public String complaint() {
        return chain.isRunning(part) ? "" : part.command() + " ended by itself; its log is " + chain.logFile(part);
    }
}

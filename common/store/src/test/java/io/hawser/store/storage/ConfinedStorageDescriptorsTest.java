package io.hawser.store.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.testkit.Program;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** This process has no file descriptor left: what needs one waits, and goes on when there is one. */
class ConfinedStorageDescriptorsTest {
    private static final String USUAL_LIMIT = "4096:";
    private static final int ROOM = 32;

    @TempDir
    Path root;

    private final List<FileInputStream> taken = new ArrayList<>();
    private Storage storage;

    /** What needs a descriptor. */
    @FunctionalInterface
    private interface Action {
        void run(String name) throws IOException;
    }

    @BeforeEach
    void makeRoot() throws Exception {
        limit((highestDescriptor() + ROOM) + ":");
        storage = new DiskStorage().below(root);
        assertThat(storage).isInstanceOf(ConfinedStorage.class);
    }

    @AfterEach
    void giveBack() throws Exception {
        close();
        limit(USUAL_LIMIT);
    }

    @Test
    void whatNeedsADescriptorWaitsForOne() throws Exception {
        List<Action> actions = List.of(
                name -> storage.rename(root.resolve(name), root.resolve(name + ".renamed")),
                name -> storage.createDirectories(root.resolve("made-" + name)),
                name -> storage.forceDirectory(root.resolve("directory")),
                name -> storage.list(root.resolve("directory")),
                name -> storage.delete(root.resolve(name)),
                name -> storage.setModified(root.resolve(name), 1_000),
                name -> storage.open(root.resolve(name), OpenMode.READ, FileIoMode.PAGE_CACHE)
                        .close());
        Files.createDirectory(root.resolve("directory"));
        for (Action action : actions) {
            run(action, false); // so that its classes are loaded
        }
        for (int i = 0; i < actions.size(); i++) {
            assertThat(run(actions.get(i), true)).as("action %d waited", i).isTrue();
        }
    }

    private boolean run(Action action, boolean lacking) throws Exception {
        String name = Files.createTempFile(root, "file", "").getFileName().toString();
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            action.run(name);
            return true;
        });
        Thread thread = new Thread(task, "waits-for-a-descriptor");
        if (lacking) {
            takeAll();
        }
        thread.start();
        await().until(() -> task.isDone() || thread.getState() == Thread.State.TIMED_WAITING);
        boolean waited = !task.isDone();
        close();
        assertThat(task.get(TestTimes.SECONDS, TimeUnit.SECONDS)).isTrue();
        return waited;
    }

    private void takeAll() {
        while (true) {
            try {
                taken.add(new FileInputStream("/dev/null"));
            } catch (IOException e) {
                assertThat(DescriptorWait.areLacking(e)).isTrue();
                return;
            }
        }
    }

    private void close() throws IOException {
        for (FileInputStream each : taken) {
            each.close();
        }
        taken.clear();
    }

    private void limit(String softAndHard) throws Exception {
        String self = Long.toString(ProcessHandle.current().pid());
        assertThat(Program.run(root, "prlimit", "--pid", self, "--nofile=" + softAndHard)
                        .exitStatus())
                .isZero();
    }

    private static int highestDescriptor() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.mapToInt(fd -> Integer.parseInt(fd.getFileName().toString()))
                    .max()
                    .orElseThrow();
        }
    }
}

package io.hawser.release.drill;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The directory that agent-b delivers into, on this machine. A name is visible there only when its file is whole, so that it is compared at
 * once.
 *
 * <p>Thread: one.
 */
final class DirectoryFarEnd implements FarEnd {
    private static final long PAUSE_MILLIS = 20;

    private final Path directory;
    private final AbsenceTimer absences = new AbsenceTimer();

    DirectoryFarEnd(Path directory) {
        this.directory = directory;
    }

    @Override
    public Finding look(CanaryLedger.PendingCanary pending) throws IOException {
        try (InputStream found = Files.newInputStream(directory.resolve(pending.name()))) {
            absences.found(pending.name());
            return Finding.compared(pending.canary().complaint(found));
        } catch (NoSuchFileException e) {
            return pending.reported() && absences.missed(pending.name(), System.nanoTime())
                    ? Finding.lost("was reported as delivered, but is not in " + directory)
                    : Finding.WAITING;
        }
    }

    @Override
    public Set<String> names(String prefix) throws IOException {
        Set<String> names = new TreeSet<>();
        try (Stream<Path> files = Files.list(directory)) {
            files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.startsWith(prefix))
                    .forEach(names::add);
        }
        return names;
    }

    @Override
    public long pauseMillis() {
        return PAUSE_MILLIS;
    }
}

package io.hawser.it.chaos;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/** Harms the index of a broker that does not run. Thread: one. */
final class IndexDamage {
    private static final int FLIPS = 20;
    private static final int BLOCK_BYTES = 4096;

    private final Path home;
    private final Random random;

    IndexDamage(Path home, Random random) {
        this.home = home;
        this.random = random;
    }

    /** Returns whether there was one. */
    boolean delete() throws IOException {
        Optional<Path> file = find();
        if (file.isPresent()) {
            Files.delete(file.get());
        }
        return file.isPresent();
    }

    /** Returns what was done; an empty string if there was no index. */
    String damage() throws IOException {
        Optional<Path> found = find();
        if (found.isEmpty() || Files.size(found.get()) == 0) {
            return "";
        }
        Path file = found.get();
        Path older = home.resolveSibling("older-index"); // not on the small disk, which may be full
        boolean hasOlder = Files.exists(older);
        int dice = random.nextInt(hasOlder ? 6 : 5);
        if (!hasOlder) {
            Files.copy(file, older);
        }
        if (dice == 5) {
            return replace(file, older);
        }
        try (RandomAccessFile index = new RandomAccessFile(file.toFile(), "rw")) {
            return damage(index, dice);
        } catch (IOException e) {
            return "in part"; // beyond its end, on a disk that is full
        }
    }

    private static String replace(Path file, Path older) throws IOException {
        try {
            Files.copy(older, file, StandardCopyOption.REPLACE_EXISTING);
            return "older";
        } catch (IOException e) {
            Files.deleteIfExists(file);
            return "deleted"; // its disk is full
        } finally {
            Files.deleteIfExists(older);
        }
    }

    private String damage(RandomAccessFile index, int dice) throws IOException {
        long size = index.length();
        switch (dice) {
            case 0 -> {
                index.setLength(0);
                return "emptied";
            }
            case 1 -> {
                index.setLength(random.nextLong(size));
                return "cut";
            }
            case 2 -> {
                index.seek(random.nextLong(size));
                index.write(new byte[BLOCK_BYTES]);
                return "zeroed";
            }
            case 3 -> {
                byte[] garbage = new byte[BLOCK_BYTES];
                random.nextBytes(garbage);
                index.write(garbage);
                return "header";
            }
            default -> {
                for (int i = 0; i < FLIPS; i++) {
                    flip(index, random.nextLong(size), 1 << random.nextInt(8));
                }
                return "flipped";
            }
        }
    }

    private static void flip(RandomAccessFile index, long at, int bit) throws IOException {
        index.seek(at);
        int old = index.read();
        index.seek(at);
        index.write(old ^ bit);
    }

    private Optional<Path> find() throws IOException {
        try (Stream<Path> paths = Files.walk(home)) {
            return paths.filter(path -> path.toString().endsWith(".mv.db")).findFirst();
        }
    }
}

package io.hawser.core.testkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a disk, or a person, does to a file of a node that is down. */
public enum Damage {
    /** One bit in the middle. */
    FLIP,
    /** The second half is gone. */
    TRUNCATE,
    DELETE,
    /** It holds what another file of its kind held, and that one what it held. */
    SWAP,
    /** It holds what it held before. */
    OLDER;

    /**
     * Does it to {@code file}.
     *
     * @param other the one that it is swapped with
     * @param older what it held before
     */
    public void apply(Path file, Path other, @Nullable Path older) throws IOException {
        switch (this) {
            case FLIP -> flip(file, Files.size(file) / 2);
            case TRUNCATE -> truncate(file, Files.size(file) / 2);
            case DELETE -> Files.delete(file);
            case SWAP -> {
                Path aside = file.resolveSibling("swapped");
                Files.move(file, aside);
                Files.move(other, file);
                Files.move(aside, other);
            }
            case OLDER -> {
                if (older == null) {
                    throw new IllegalArgumentException("there is no older copy of " + file);
                }
                Files.copy(older, file, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** Flips the lowest bit of the byte at {@code position}. */
    public static void flip(Path file, long position) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            if (channel.read(one, position) != 1) {
                throw new IOException(file + " has no byte " + position);
            }
            one.put(0, (byte) (one.get(0) ^ 1)).flip();
            channel.write(one, position);
            channel.force(false);
        }
    }

    /** Cuts the file to {@code size} bytes. */
    public static void truncate(Path file, long size) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(size);
            channel.force(true);
        }
    }

    /** Where {@code wanted} stands in a file for the first time; it must. */
    public static long find(Path file, byte[] wanted) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        for (int i = 0; i + wanted.length <= bytes.length; i++) {
            if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
                return i;
            }
        }
        throw new AssertionError("not in " + file);
    }

    /** The only file in a directory whose name ends so; the first if there are several. */
    public static Path file(Path directory, String ending) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(path -> path.toString().endsWith(ending))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
    }
}

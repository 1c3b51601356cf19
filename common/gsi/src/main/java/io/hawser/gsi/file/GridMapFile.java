package io.hawser.gsi.file;

import io.hawser.gsi.name.GridMap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a grid-mapfile. Each call checks the file and reads it again if it has changed; while that fails, the old mapping stays and the reason is logged.
 *
 * <p>Thread: any; each call may touch the disk.
 */
public final class GridMapFile {
    private static final Logger LOG = LoggerFactory.getLogger(GridMapFile.class);
    private static final long MAX_BYTES = 64 << 20;

    private final Path path;
    private GridMap map = GridMap.empty();
    private @Nullable FileState state;

    public GridMapFile(Path path) {
        this.path = path;
    }

    /** The mapping. Throws {@link IOException} with a sentence for an operator if it could never be read. */
    public synchronized GridMap get() throws IOException {
        try {
            FileState now = FileState.of(path);
            if (!now.equals(state)) {
                map = read();
                state = now;
                LOG.atInfo().addKeyValue("names", map.size()).log("read the grid-mapfile");
            }
        } catch (IOException e) {
            if (state == null) {
                throw new IOException("cannot read the grid-mapfile " + path + ": " + e.getMessage(), e);
            }
            LOG.atError()
                    .addKeyValue("reason", e.getMessage())
                    .log("cannot read the grid-mapfile; keeping the old mapping");
        }
        return map;
    }

    private GridMap read() throws IOException {
        if (Files.size(path) > MAX_BYTES) {
            throw new IOException("it is larger than " + MAX_BYTES + " bytes");
        }
        String text = new String(RegularFileReader.readAllBytes(path), StandardCharsets.UTF_8);
        return GridMap.parse(List.of(text.split("\n")), problem -> LOG.atWarn()
                .addKeyValue("file", path)
                .addKeyValue("problem", problem)
                .log("skipping a line of the grid-mapfile"));
    }
}

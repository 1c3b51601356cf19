package io.hawser.release.process;

import io.hawser.ops.cli.Hawser;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What node processes are started from, and the class archive by which a node starts with two thirds of the processor's time. Who runs
 * many short-lived nodes names a class path of jars by {@code hawser.node.classpath} and by {@code hawser.class.archive.file} where their
 * archive is; the first JVM that needs it makes it there.
 *
 * @param path the class path
 * @param archive the JVM option that names the archive, or {@code -Xshare:auto}
 */
record NodeClasses(String path, String archive) {
    private static final long PATIENCE_SECONDS = 60;

    /** As the system properties of this JVM say; the class path of this JVM if they say nothing. */
    static NodeClasses ofThisJvm() {
        String path = System.getProperty("hawser.node.classpath", System.getProperty("java.class.path"));
        String file = System.getProperty("hawser.class.archive.file");
        if (file == null) {
            return new NodeClasses(path, System.getProperty("hawser.class.archive", "-Xshare:auto"));
        }
        try {
            return archived(path, Path.of(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static NodeClasses archived(String path, Path archive) throws IOException {
        try (FileChannel channel = FileChannel.open(
                        archive.resolveSibling(archive.getFileName() + ".lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            if (lock.isValid() && isOutdated(archive, path)) {
                make(archive, path);
            }
        }
        return new NodeClasses(path, Files.exists(archive) ? "-XX:SharedArchiveFile=" + archive : "-Xshare:auto");
    }

    private static boolean isOutdated(Path archive, String path) throws IOException {
        if (!Files.exists(archive)) {
            return true;
        }
        long made = Files.getLastModifiedTime(archive).toMillis();
        for (String entry : path.split(File.pathSeparator)) {
            File jars = new File(entry.endsWith("*") ? entry.substring(0, entry.length() - 1) : entry);
            File[] inside = jars.isDirectory() ? jars.listFiles() : new File[] {jars};
            for (File jar : inside == null ? new File[0] : inside) {
                if (jar.lastModified() > made) {
                    return true;
                }
            }
        }
        return false;
    }

    /** All three nodes, until they are ready. */
    private static void make(Path archive, String path) throws IOException {
        Path scratch = Files.createTempDirectory("node-classes");
        Path made = scratch.resolve("classes.jsa");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(java, "-Xmx128m", "-XX:+UseSerialGC", "-Xlog:cds=off"));
        command.addAll(List.of("-Xlog:cds+dynamic=off", "-XX:ArchiveClassesAtExit=" + made, "-cp", path));
        command.addAll(List.of(Hawser.class.getName(), "up", "--listen", "127.0.0.1:0", "--ftp", "127.0.0.1:0"));
        command.addAll(
                List.of("--admin", "off", "--data", scratch.resolve("data").toString()));
        command.addAll(List.of("--into", scratch.resolve("into").toString()));
        Process process = new ProcessBuilder(command)
                .redirectError(scratch.resolve("log").toFile())
                .start();
        try {
            BufferedReader out = process.inputReader();
            String line = out.readLine();
            while (line != null && !line.startsWith("READY")) {
                line = out.readLine(); // none more if it fails; then there is no archive
            }
            process.destroy();
            if (process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && Files.exists(made)) {
                Files.move(made, archive, StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.toHandle().destroyForcibly();
        }
    }
}

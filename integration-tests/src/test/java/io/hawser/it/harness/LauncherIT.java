package io.hawser.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Program;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.NodeProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher as an installed directory, under a path and a locale that break careless scripts. */
class LauncherIT {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path directory;

    private Path home;

    private record Result(int code, String out, String err) {}

    @BeforeEach
    void install() throws IOException {
        home = Installation.in(directory.resolve("in stalled ü"));
    }

    private Process start(Path launcher, Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("LC_") || name.startsWith("HAWSER_"));
        builder.environment().put("LANG", "C");
        builder.environment().putAll(environment);
        return builder.start();
    }

    private Result run(Path launcher, String... arguments) throws Exception {
        Process process = start(launcher, Map.of(), arguments);
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(TestTimes.SECONDS, TimeUnit.SECONDS)).isTrue();
        return new Result(process.exitValue(), out, err);
    }

    @Test
    void namesAreUtf8WhateverTheLocale() throws Exception {
        Result result = run(home.resolve("hawser"), "keys", "init", "schlüssel-鍵");
        assertThat(result.err()).isEmpty();
        assertThat(result.code()).isZero();
        assertThat(result.out()).contains("schlüssel-鍵");
        assertThat(directory.resolve("schlüssel-鍵/ca.crt")).exists();
    }

    @Test
    void aSymbolicLinkFindsTheInstallation() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("h w"), Path.of("in stalled ü/hawser"));
        Result result = run(link, "--help");
        assertThat(result.code()).isZero();
        assertThat(result.out()).contains("Usage: hawser", "status");
    }

    @Test
    void inAReleaseTheLauncherStandsInBinBesideLib() throws Exception {
        Files.createDirectory(home.resolve("bin"));
        Files.move(home.resolve("hawser"), home.resolve("bin/hawser"));
        Path link = Files.createSymbolicLink(directory.resolve("h w"), Path.of("in stalled ü/bin/hawser"));
        for (Path launcher : List.of(home.resolve("bin/hawser"), link)) {
            Result result = run(launcher, "--help");
            assertThat(result.code()).as(result.err()).isZero();
            assertThat(result.out()).contains("Usage: hawser", "status");
        }
    }

    @Test
    void mistakesAreOneLineOnStandardErrorAndAnExitCode() throws Exception {
        Result result = run(home.resolve("hawser"), "status", "--admin", "127.0.0.1:1");
        assertThat(result.code()).isEqualTo(3);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("Connection refused").hasLineCount(1);
    }

    /** With {@code script}, which gives it a terminal of its own. Nothing is connected to: the file becomes durable here. */
    private Process sendOnATerminal(String... more) throws IOException {
        List<String> words = new ArrayList<>(List.of(home.resolve("hawser").toString(), "send", "file", "--to", "x"));
        words.addAll(List.of("--state", "state", "--broker", "127.0.0.1:1"));
        words.addAll(List.of(more));
        Files.writeString(directory.resolve("file"), "content");
        String line = words.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        List<String> script = List.of("env", "--default-signal=INT", "script", "-qefc", line, "/dev/null");
        return new ProcessBuilder(script)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
    }

    @Test
    void onATerminalThereIsABar() throws Exception {
        Program.needs("script");
        Process process = sendOnATerminal("--wait", "spooled");
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).containsPattern("broker +\\[[#-]*\\] +[0-9]+%").contains("1 of 1 spooled");
    }

    @Test
    void ctrlCOnATerminalIsExitCode130() throws Exception {
        Program.needs("script");
        Process process = sendOnATerminal();
        try {
            StringBuilder said = new StringBuilder();
            Reader output = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8);
            boolean pressed = false;
            for (int c = output.read(); c >= 0; c = output.read()) {
                said.append((char) c);
                if (!pressed && said.indexOf("waiting: ") >= 0) {
                    pressed = true;
                    process.getOutputStream().write(3);
                    process.getOutputStream().flush();
                }
            }
            assertThat(said).contains("interrupted; run the same command again to continue");
            assertThat(process.waitFor()).isEqualTo(130);
        } finally {
            process.toHandle().destroyForcibly();
        }
    }

    @Test
    void theLauncherBecomesTheNode() throws Exception {
        Path data = directory.resolve("data");
        Process process = start(
                home.resolve("hawser"),
                Map.of("HAWSER_JAVA_OPTS", "-Dhawser.test=1 -Xmx72m"),
                "broker",
                "--listen",
                "127.0.0.1:0",
                "--admin",
                "off",
                "--data",
                data.toString());
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(out.readLine()).startsWith("READY broker ptcp=127.0.0.1:");
            ProcessHandle handle = ProcessHandle.of(process.pid()).orElseThrow();
            assertThat(handle.info().command())
                    .hasValueSatisfying(command -> assertThat(command).endsWith("/java"));
            try (Stream<String> arguments = Stream.of(handle.info().arguments().orElseThrow())) {
                assertThat(arguments).contains("-Dhawser.test=1", "-Xmx256m", "-Xmx72m");
            }
            handle.destroy();
            assertThat(process.waitFor(NodeProcess.STOP_LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.toHandle().destroyForcibly();
        }
    }
}

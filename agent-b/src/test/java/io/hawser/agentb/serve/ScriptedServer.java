package io.hawser.agentb.serve;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An FTP server that says what it is told to. Whatever has data ({@link #sends}) is answered with 150, the data, and 226.
 *
 * <p>Thread: the test's until it is dialled.
 */
final class ScriptedServer implements AutoCloseable {
    final List<String> commands = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, String> replies = new HashMap<>();
    private final Map<String, byte[]> contents = new HashMap<>();
    private final Set<String> stalls = new HashSet<>();
    private final List<Socket> sockets = Collections.synchronizedList(new ArrayList<>());
    private final ServerSocket control = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ServerSocket data = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

    ScriptedServer() throws IOException {
        says("greeting", "220 hello");
        says("USER", "331 password");
        says("PASS", "230 in");
        says("FEAT", "502 none");
        says("TYPE", "200 ok");
        says("PWD", "257 \"/\"");
        says("CWD", "550 no");
        says("PASV", "227 (127,0,0,1," + data.getLocalPort() / 256 + "," + data.getLocalPort() % 256 + ")");
        Thread thread = new Thread(this::accept);
        thread.setDaemon(true);
        thread.start();
    }

    /** Replies to a command, or to a whole command line; an empty reply is silence, and 502 is the answer to others. */
    ScriptedServer says(String command, String reply) {
        replies.put(command, reply);
        return this;
    }

    /** What a command line is answered with over a data connection. */
    ScriptedServer sends(String line, String content) {
        contents.put(line, content.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /** The same, but then nothing more comes. */
    ScriptedServer beginsToSend(String line, String content) {
        stalls.add(line);
        return sends(line, content);
    }

    String url() {
        return "ftp://127.0.0.1:" + control.getLocalPort() + "/in";
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = control.accept();
                sockets.add(socket);
                Thread thread = new Thread(() -> talk(socket));
                thread.setDaemon(true);
                thread.start();
            }
        } catch (IOException e) {
            commands.add("(closed)");
        }
    }

    private void talk(Socket socket) {
        try {
            PrintStream out = new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8);
            say(out, reply("greeting"));
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                commands.add(line);
                byte[] content = contents.get(line);
                if (content == null) {
                    say(out, reply(line));
                    if (line.startsWith("REST") && reply(line).startsWith("5")) {
                        data.accept().close(); // it was dialled before, and is given up
                    }
                } else if (stalls.contains(line)) {
                    Socket way = data.accept();
                    sockets.add(way);
                    say(out, "150 go");
                    way.getOutputStream().write(content);
                } else {
                    send(out, content);
                }
            }
        } catch (IOException e) {
            commands.add("(hung up)");
        }
    }

    private void send(PrintStream out, byte[] content) throws IOException {
        try (Socket way = data.accept()) {
            say(out, "150 go");
            way.getOutputStream().write(content);
        }
        say(out, "226 done");
    }

    private String reply(String line) {
        String verb = line.split(" ")[0];
        return replies.getOrDefault(line, replies.getOrDefault(verb, "502 no " + verb));
    }

    private static void say(PrintStream out, String reply) {
        if (!reply.isEmpty()) {
            out.print(reply + "\r\n");
        }
    }

    @Override
    public void close() throws IOException {
        control.close();
        data.close();
        for (Socket socket : List.copyOf(sockets)) {
            socket.close();
        }
    }
}

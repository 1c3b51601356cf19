package io.hawser.gsi.path;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.name.DistinguishedName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names that a CA may sign: the content of a {@code signing_policy} file.
 *
 * <pre>
 *   access_id_CA   X509    '/C=US/O=Grid/CN=CA'
 *   pos_rights     globus  CA:sign
 *   cond_subjects  globus  '"/C=US/O=Grid/*" "/C=us/O=Grid/*"'
 * </pre>
 *
 * <p>Any other line makes the whole file invalid, since an unknown rule might forbid something.
 */
public final class SigningPolicy {
    private static final Pattern LINE = Pattern.compile("(\\S+)\\s+(\\S+)\\s+('[^']*'|\"[^\"]*\"|\\S+)\\s*(?:#.*)?");
    private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"");

    private final Map<DistinguishedName, List<String>> patterns;

    private SigningPolicy(Map<DistinguishedName, List<String>> patterns) {
        this.patterns = Map.copyOf(patterns);
    }

    /** Reads the lines of a file. */
    public static SigningPolicy parse(List<String> lines) throws GsiException {
        Map<DistinguishedName, List<String>> patterns = new LinkedHashMap<>();
        List<String> current = new ArrayList<>();
        boolean maySign = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            Matcher words = LINE.matcher(line);
            if (!words.matches()) {
                throw malformed(i, "does not have three words");
            }
            String value = unquoted(words.group(3));
            switch (words.group(1) + " " + words.group(2)) {
                case "access_id_CA X509", "access_id_CA x509" -> {
                    maySign = false;
                    current = patterns.computeIfAbsent(authority(value, i), name -> new ArrayList<>());
                }
                case "pos_rights globus" -> maySign |= value.equals("CA:sign");
                case "cond_subjects globus" -> {
                    if (!maySign) {
                        throw malformed(i, "has conditions before a right to sign");
                    }
                    current.addAll(subjects(value));
                }
                default -> throw malformed(i, "has an unknown rule");
            }
        }
        return new SigningPolicy(patterns);
    }

    private static DistinguishedName authority(String name, int line) throws GsiException {
        try {
            return DistinguishedName.parse(name);
        } catch (IllegalArgumentException e) {
            throw malformed(line, "does not name a CA");
        }
    }

    private static GsiException malformed(int line, String why) {
        return new GsiException("line " + (line + 1) + " " + why);
    }

    private static String unquoted(String word) {
        boolean quoted = word.length() > 1 && (word.startsWith("'") || word.startsWith("\""));
        return quoted ? word.substring(1, word.length() - 1) : word;
    }

    private static List<String> subjects(String value) {
        List<String> subjects = new ArrayList<>();
        Matcher quoted = QUOTED.matcher(value);
        while (quoted.find()) {
            subjects.add(quoted.group(1));
        }
        return subjects.isEmpty() ? List.of(value) : subjects;
    }

    /** Whether {@code authority} may sign a certificate for {@code subject}. */
    public boolean allows(DistinguishedName authority, DistinguishedName subject) {
        return patterns.getOrDefault(authority, List.of()).stream().anyMatch(subject::matches);
    }
}

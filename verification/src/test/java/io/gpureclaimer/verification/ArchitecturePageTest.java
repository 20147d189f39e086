package io.gpureclaimer.verification;

import static java.util.function.Predicate.not;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every type that docs/architecture.md names exists: a rename that forgets the page fails here. */
class ArchitecturePageTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern CODE = Pattern.compile("`([A-Z][A-Za-z]+)`");
  private static final Pattern DECLARATION =
      Pattern.compile("\\b(?:class|record|interface|enum) ([A-Z]\\w*)");

  /** Names of the language of the domain that are no types here. */
  private static final Set<String> NO_TYPES = Set.of("Allocate", "ArchitectureTest");

  @Test
  void namesOnlyTypesThatExist() throws IOException {
    Set<String> named = named();
    assertThat(named).hasSizeGreaterThan(40);

    assertThat(named.stream().filter(not(declared()::contains))).isEmpty();
  }

  private static Set<String> named() throws IOException {
    return CODE.matcher(Files.readString(ROOT.resolve("docs/architecture.md")))
        .results()
        .map(match -> match.group(1))
        .filter(not(NO_TYPES::contains))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> declared() throws IOException {
    Set<String> declared = new TreeSet<>();
    for (String module : List.of("plugin-core", "exporter", "reclaimer")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module))) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .filter(not(file -> file.toString().contains("/target/")))
            .forEach(file -> addDeclared(file, declared));
      }
    }
    return declared;
  }

  private static void addDeclared(Path file, Set<String> declared) {
    try {
      Matcher matcher = DECLARATION.matcher(Files.readString(file));
      while (matcher.find()) {
        declared.add(matcher.group(1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package io.gpureclaimer.deviceplugin.cdi;

import io.gpureclaimer.common.yaml.YamlReader;
import io.gpureclaimer.deviceplugin.cdi.spec.CdiKind;
import io.gpureclaimer.deviceplugin.cdi.spec.CdiSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * CDI specifications of other programs. Of two that offer the same device, the one in the stronger
 * folder wins; in one folder, none does. Confined to one thread.
 */
final class ForeignSpecifications {
  private final Path ours;
  private final List<Path> folders;
  private final Map<Path, ParsedFile> parsedFiles = new HashMap<>();

  /**
   * @param ours where we write
   * @param folders those that runtimes read, the weakest first
   */
  ForeignSpecifications(Path ours, List<Path> folders) {
    this.ours = ours;
    this.folders = List.copyOf(folders);
  }

  /** Device names of a file; empty if it is no specification. */
  private record ParsedFile(FileTime modified, long size, String kind, Set<String> names) {}

  /** The devices that a file offers as it is; those whose names CDI allows. */
  List<String> names(Path file, CdiKind kind) {
    return parse(file)
        .filter(parsed -> parsed.kind().equals(kind.toString()))
        .map(parsed -> parsed.names().stream().filter(CdiKind::canName).sorted().toList())
        .orElse(List.of());
  }

  /** Who else offers devices of that specification, and what comes of it, for people. */
  List<String> conflicts(CdiSpec spec, Path file) {
    var conflicts = new ArrayList<String>();
    for (Path folder : folders) {
      for (Path other : files(folder)) {
        if (!other.equals(file)) {
          parse(other)
              .filter(parsed -> parsed.kind().equals(spec.kind().toString()))
              .flatMap(parsed -> shared(parsed, spec))
              .ifPresent(names -> conflicts.add(conflict(folder, other, names)));
        }
      }
    }
    return conflicts;
  }

  private static Optional<String> shared(ParsedFile parsed, CdiSpec spec) {
    return Optional.of(
            spec.names().stream()
                .filter(parsed.names()::contains)
                .map(spec.kind()::qualified)
                .collect(Collectors.joining(", ")))
        .filter(names -> !names.isEmpty());
  }

  private String conflict(Path folder, Path other, String names) {
    String what = other + " offers " + names + ", as we do: ";
    int theirs = folders.indexOf(folder);
    int own = folders.indexOf(ours);
    if (theirs == own) {
      return what
          + "runtimes give out neither, and containers with such a device do not start; remove"
          + " that file, or choose another CDI vendor";
    }
    return theirs > own
        ? what + "runtimes use that file and not ours"
        : what + "runtimes use ours and not that file";
  }

  private static List<Path> files(Path folder) {
    var files = new ArrayList<Path>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "*.{json,yaml}")) {
      entries.forEach(files::add);
    } catch (NoSuchFileException | NotDirectoryException _) {
      return List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (DirectoryIteratorException e) {
      throw new UncheckedIOException(e.getCause());
    }
    files.sort(null);
    return files;
  }

  private Optional<ParsedFile> parse(Path file) {
    try {
      FileTime modified = Files.getLastModifiedTime(file);
      long size = Files.size(file);
      ParsedFile last = parsedFiles.get(file);
      if (last != null && last.modified().equals(modified) && last.size() == size) {
        return Optional.of(last);
      }
      ParsedFile parsed = read(file, modified, size);
      parsedFiles.put(file, parsed);
      return Optional.of(parsed);
    } catch (IOException _) {
      // Gone meanwhile, or not for us to read.
      parsedFiles.remove(file);
      return Optional.empty();
    }
  }

  /** JSON is YAML too. What runtimes cannot read offers nothing. */
  private static ParsedFile read(Path file, FileTime modified, long size) throws IOException {
    if (YamlReader.tree(Files.readString(file)).orElse(null) instanceof Map<?, ?> spec
        && spec.get("devices") instanceof List<?> devices) {
      return new ParsedFile(modified, size, String.valueOf(spec.get("kind")), names(devices));
    }
    return new ParsedFile(modified, size, "", Set.of());
  }

  private static Set<String> names(List<?> devices) {
    return devices.stream()
        .map(device -> device instanceof Map<?, ?> fields ? fields.get("name") : null)
        .filter(Objects::nonNull)
        .map(String::valueOf)
        .collect(Collectors.toSet());
  }
}

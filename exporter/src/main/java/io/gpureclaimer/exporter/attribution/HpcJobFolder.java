package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.common.device.DeviceName;
import io.gpureclaimer.common.device.DeviceName.ByIndex;
import io.gpureclaimer.common.device.DeviceName.InstanceByIndex;
import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.exporter.sample.Jobs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folder with the jobs of a batch scheduler: one file for each GPU, named by index or UUID. {@link
 * #refresh} is confined to the attribution job, {@link #now} to the sampling job, and never waits.
 *
 * <p>A file that cannot be understood is one warning, and costs only itself: nothing is said of the
 * jobs there.
 */
public final class HpcJobFolder implements HpcJobSource {
  private static final Logger log = LoggerFactory.getLogger(HpcJobFolder.class);
  private static final Pattern NAME = Pattern.compile("(0|[1-9]\\d{0,5})(?:\\.(0|[1-9]\\d{0,5}))?");
  private static final int LARGEST_BYTES = 64 * 1024;
  private static final int MOST_JOBS = 256;

  private final Path folder;
  private final AtomicReference<FolderContent> latest =
      new AtomicReference<>(new FolderContent(Map.of(), 0));
  private Set<String> complaints = Set.of();

  /** Reads nothing yet. */
  public HpcJobFolder(Path folder) {
    this.folder = folder;
  }

  @Override
  public Jobs now(DeviceLookup devices) {
    var content = latest.get();
    var jobs = new HashMap<Entity, List<String>>();
    content
        .jobs()
        .forEach((name, on) -> devices.find(name).ifPresent(device -> jobs.put(device, on)));
    return new Jobs(jobs, OptionalInt.of(content.bad()));
  }

  /** Reads the folder. */
  public void refresh() {
    var jobs = new HashMap<DeviceName, List<String>>();
    var bad = new HashSet<String>();
    try (var files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        var name = NAME.matcher(file.getFileName().toString());
        if (name.matches()) {
          take(file, named(name.group(1), name.group(2)), jobs, bad);
        }
      }
    } catch (NoSuchFileException _) {
      bad.add(folder + ": is not there");
    } catch (IOException | DirectoryIteratorException e) {
      bad.add(folder + ": " + e);
    }
    latest.set(new FolderContent(jobs, bad.size()));
    logComplaints(bad);
  }

  private static DeviceName named(String gpu, @Nullable String instance) {
    int index = Integer.parseInt(gpu);
    return instance == null
        ? new ByIndex(index)
        : new InstanceByIndex(index, Integer.parseInt(instance));
  }

  private static void take(
      Path file, DeviceName device, Map<DeviceName, List<String>> into, Set<String> bad) {
    try {
      List<String> lines =
          text(file).lines().map(String::strip).filter(line -> !line.isEmpty()).distinct().toList();
      if (lines.size() > MOST_JOBS) {
        bad.add(file + ": must have at most " + MOST_JOBS + " jobs, has " + lines.size());
      } else if (!lines.isEmpty()) {
        into.put(device, lines);
      }
    } catch (NoSuchFileException _) {
      // The scheduler has just taken it away.
    } catch (CharacterCodingException _) {
      bad.add(file + ": must be text in UTF-8, and is not");
    } catch (InvalidJobFile e) {
      bad.add(file + ": " + e.getMessage());
    } catch (IOException e) {
      bad.add(file + ": " + e);
    }
  }

  /** A job file with invalid content. */
  private static final class InvalidJobFile extends IOException {
    private static final long serialVersionUID = 1;

    InvalidJobFile(String rule) {
      super(rule);
    }
  }

  /** Nothing else is opened: opening a pipe would block until a program writes into it. */
  private static String text(Path file) throws IOException {
    if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
      throw new InvalidJobFile("must be a file, and is none");
    }
    try (var in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(LARGEST_BYTES + 1);
      if (bytes.length > LARGEST_BYTES) {
        throw new InvalidJobFile("must be at most " + LARGEST_BYTES / 1024 + " KiB, is more");
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    }
  }

  private void logComplaints(Set<String> bad) {
    for (String complaint : bad) {
      if (!complaints.contains(complaint)) {
        log.warn("HPC jobs: {}; the label of these jobs is missing", complaint);
      }
    }
    complaints = bad;
  }

  private record FolderContent(Map<DeviceName, List<String>> jobs, int bad) {
    private FolderContent {
      jobs = Map.copyOf(jobs);
    }
  }
}

package io.gpureclaimer.deviceplugin.mps;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.ComputeMode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * File with the original compute modes of GPUs, which survives restarts. Confined to one thread.
 */
final class ComputeModeFile {
  private static final Logger log = LoggerFactory.getLogger(ComputeModeFile.class);
  private static final Pattern LINE =
      Pattern.compile("(\\S+) (DEFAULT|PROHIBITED|EXCLUSIVE_PROCESS)");

  private final Path file;

  ComputeModeFile(Path file) {
    this.file = file;
  }

  /** What is remembered, in the order of its making; nothing if there is no file. */
  Map<GpuUuid, ComputeMode> recall() throws IOException {
    var modes = new LinkedHashMap<GpuUuid, ComputeMode>();
    try {
      for (String line : Files.readAllLines(file)) {
        Matcher fields = LINE.matcher(line);
        if (fields.matches()) {
          modes.put(new GpuUuid(fields.group(1)), ComputeMode.valueOf(fields.group(2)));
        } else {
          log.warn("{}: expected a GPU and its compute mode, found \"{}\"", file, line);
        }
      }
    } catch (NoSuchFileException _) {
      // Nothing was ever remembered, or all has been put back.
    }
    return modes;
  }

  /** Remembers these and no others; on the disk when it returns. */
  void remember(Map<GpuUuid, ComputeMode> modes) throws IOException {
    if (modes.isEmpty()) {
      Files.deleteIfExists(file);
      return;
    }
    String text =
        modes.entrySet().stream()
            .map(mode -> mode.getKey() + " " + mode.getValue() + "\n")
            .collect(Collectors.joining());
    Files.createDirectories(file.toAbsolutePath().getParent());
    Path next = file.resolveSibling(file.getFileName() + ".tmp");
    try {
      write(next, text);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(next);
    }
  }

  private static void write(Path file, String text) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer rest = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
      channel.force(true);
    }
  }
}

package io.gpureclaimer.deviceplugin.cdi.driver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * Where the dynamic loader finds libraries: {@code /etc/ld.so.cache} in glibc's format of its
 * version 1.1. One that is in another format, or damaged, has no library.
 */
final class LoaderCache {
  private static final byte[] MAGIC = "glibc-ld.so.cache1.1".getBytes(StandardCharsets.US_ASCII);
  private static final int HEADER = 48;
  private static final int ENTRY = 24;

  private final ByteBuffer cache;

  private LoaderCache(ByteBuffer cache) {
    this.cache = cache;
  }

  /** The paths of the libraries whose name is asked for, in the loader's order. */
  static List<String> paths(Path file, Predicate<String> name) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      int start = indexOf(bytes);
      if (start < 0) {
        return List.of();
      }
      ByteBuffer cache = ByteBuffer.wrap(bytes, start, bytes.length - start).slice();
      return new LoaderCache(cache.order(ByteOrder.nativeOrder())).paths(name);
    } catch (BufferUnderflowException | IndexOutOfBoundsException _) {
      return List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> paths(Predicate<String> name) {
    var paths = new ArrayList<String>();
    int count = cache.getInt(MAGIC.length);
    for (int i = 0; i < count; i++) {
      int entry = HEADER + i * ENTRY;
      if (name.test(text(cache.getInt(entry + 4)))) {
        paths.add(text(cache.getInt(entry + 8)));
      }
    }
    return paths;
  }

  private String text(int offset) {
    int end = offset;
    while (cache.get(end) != 0) {
      end++;
    }
    var bytes = new byte[end - offset];
    cache.get(offset, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** An older format may come before it, in the same file. */
  private static int indexOf(byte[] bytes) {
    for (int at = 0; at <= bytes.length - HEADER; at++) {
      if (Arrays.equals(bytes, at, at + MAGIC.length, MAGIC, 0, MAGIC.length)) {
        return at;
      }
    }
    return -1;
  }
}

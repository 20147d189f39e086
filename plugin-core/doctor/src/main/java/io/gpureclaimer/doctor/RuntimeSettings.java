package io.gpureclaimer.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What containerd's configuration says about GPUs, read line by line and without understanding the
 * rest of it.
 *
 * @param enableCdi the last word on CDI; null if nothing is said
 * @param nvidiaRuntime whether a runtime of NVIDIA's is set up
 * @param nvidiaIsDefault whether it is the default
 * @param version of the configuration's form; 3 is containerd 2's
 */
record RuntimeSettings(
    @Nullable Boolean enableCdi, boolean nvidiaRuntime, boolean nvidiaIsDefault, int version) {
  private static final Pattern CDI = setting("enable_cdi", "(true|false)");
  private static final Pattern VERSION = setting("version", "(\\d+)");
  private static final Pattern DEFAULT = setting("default_runtime_name", "[\"']([^\"']*)[\"']");
  private static final Pattern RUNTIME =
      Pattern.compile("(?m)^\\s*(?:\\[.*runtimes\\.[\"']?nvidia|[^#]*nvidia-container-runtime)");
  private static final Pattern IMPORTS = Pattern.compile("(?m)^\\s*imports\\s*=\\s*\\[([^]]*)]");
  private static final Pattern QUOTED = Pattern.compile("[\"']([^\"']+)[\"']");
  private static final int CONTAINERD_2 = 3;

  static RuntimeSettings read(NodeFiles files, String file) {
    var text = new StringBuilder(files.text(file).orElse(""));
    for (String imported : imports(text.toString())) {
      resolve(files, folderOf(file), imported)
          .forEach(it -> text.append('\n').append(files.text(it).orElse("")));
    }
    String all = text.toString();
    return new RuntimeSettings(
        last(CDI, all).map(Boolean::parseBoolean).orElse(null),
        RUNTIME.matcher(all).find(),
        last(DEFAULT, all).filter(name -> name.startsWith("nvidia")).isPresent(),
        last(VERSION, all).map(Integer::parseInt).orElse(1));
  }

  Optional<Boolean> cdi() {
    return Optional.ofNullable(enableCdi);
  }

  boolean isOfContainerd2() {
    return version >= CONTAINERD_2;
  }

  private static Pattern setting(String name, String value) {
    return Pattern.compile("(?m)^\\s*" + name + "\\s*=\\s*" + value);
  }

  /** What a pattern finds last. */
  static Optional<String> last(Pattern pattern, String text) {
    return pattern.matcher(text).results().reduce((_, later) -> later).map(it -> it.group(1));
  }

  private static List<String> imports(String text) {
    List<String> imports = new ArrayList<>();
    Matcher list = IMPORTS.matcher(text);
    while (list.find()) {
      QUOTED.matcher(list.group(1)).results().forEach(it -> imports.add(it.group(1)));
    }
    return imports;
  }

  /** Files, with {@code *} in their last part. */
  private static List<String> resolve(NodeFiles files, String folder, String pattern) {
    String absolute = pattern.startsWith("/") ? pattern : folder + '/' + pattern;
    String parent = folderOf(absolute);
    Pattern name =
        Pattern.compile(
            Pattern.quote(absolute.substring(parent.length() + 1)).replace("*", "\\E.*\\Q"));
    return files.names(parent).stream()
        .filter(it -> name.matcher(it).matches())
        .map(it -> parent + '/' + it)
        .toList();
  }

  private static String folderOf(String file) {
    return file.substring(0, file.lastIndexOf('/'));
  }
}

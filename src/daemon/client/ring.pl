# agentseam: rings the daemon for bin/hook. Usage: ring.pl <path> <folder> [<number>], inside the run
# folder. Faster to start than curl, and loads nothing. Ends with the answer's code plus the number;
# 199: nobody is there. 198: no answer. 197: it cannot ring. 196: the daemon hangs.
$SIG{PIPE} = 'IGNORE';
$SIG{__WARN__} = sub { };
$SIG{__DIE__} = sub { exit 197 };
my ($path, $cwd, $plus) = @ARGV;
my $name = 'daemon.sock';
my $address = $^O eq 'linux' ? pack('S a*', 1, $name) : pack('C C a*', length($name) + 2, 1, $name);
open(my $file, '<', 'curl') or exit 199;
my $options = do { local $/; <$file> };
my ($token) = $options =~ /x-seam-token: (\w+)/ or exit 199;
my ($seconds) = $options =~ /max-time = (\d+)/;
my ($silence) = $options =~ /# silence = (\d+)/;
$silence ||= 10;
# A person waits for a commit; nobody is asked anything meanwhile.
$seconds = 2 if $path =~ m{^/v1/(?:ring/git~|hook\?agent=git&)};
$SIG{ALRM} = sub { exit 198 };
alarm($seconds || 590);

sub call {
  socket(my $daemon, 1, 1, 0) or exit 197;
  connect($daemon, $address) or return;
  binmode $daemon;
  return $daemon;
}

sub request {
  my ($daemon, $path, $body) = @_;
  my $text = "POST $path HTTP/1.0\r\nHost: seam\r\nx-seam-token: $token\r\nx-seam-cwd: $cwd\r\n"
    . 'Content-Length: ' . length($body) . "\r\n\r\n";
  for my $part ($text, $body) {
    for (my $done = 0; $done < length($part);) {
      my $sent = syswrite($daemon, $part, length($part) - $done, $done) or return;
      $done += $sent;
    }
  }
  return 1;
}

# Whether something came within the time a daemon may be silent.
sub speaks {
  my $wanted = '';
  vec($wanted, fileno($_[0]), 1) = 1;
  return select($wanted, undef, undef, $silence) > 0;
}

# A handler may take its time, as long as the daemon itself is not stuck. One that ends takes no
# calls any more, and still gives its last answers.
sub alive {
  my $daemon = call() or return 1;
  return !request($daemon, '/v1/ring/none', '') || speaks($daemon);
}

my $daemon = call() or exit 199;
binmode $_ for *STDIN, *STDOUT, *STDERR;
my $body = '';
if ($path =~ m{^/v1/hook}) { local $/; $body = <STDIN>; }
request($daemon, $path, $body) or exit 199;
my $reply = '';
while (1) {
  if (!speaks($daemon)) {
    alive() or exit 196;
    next;
  }
  sysread($daemon, $reply, 65536, length($reply)) or last;
}
my $end = index($reply, "\r\n\r\n");
exit 199 if $end < 0;
my $head = substr($reply, 0, $end);
exit 198 unless $head =~ m{^HTTP/1\.\d 200 } && $head =~ /^x-seam-exit: (\d+)/m;
my $code = $1;
my $answer = substr($reply, $end + 4);
exit 199 unless $head =~ /^content-length: (\d+)/m && $1 == length($answer);
# Agents take no answer for a yes, and 2 for a no. What the hooks of git cannot say stops no commit.
my $isSaid = $answer eq '' || (print($answer) && close(STDOUT));
$code = 2 unless $isSaid || $path =~ m{^/v1/(?:ring/git~|hook\?agent=git&)};
if ($head =~ /^x-seam-stderr: (\S*)/m) {
  (my $error = $1) =~ s/\\0([0-7]{3})/chr(oct($1))/ge;
  print STDERR $error;
}
exit $code + ($plus || 0);

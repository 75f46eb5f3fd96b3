// Three squares side by side in three physical groups that share them.
SetFactory("OpenCASCADE");
Rectangle(1) = {0, 0, 0, 1, 1}; Rectangle(2) = {1, 0, 0, 1, 1}; Rectangle(3) = {2, 0, 0, 1, 1};
Coherence;
MeshSize {:} = 2;
Physical Surface("both") = {1, 2};
Physical Surface("heated") = {2};
Physical Surface("all") = {1, 2, 3};
Physical Curve("wall") = {Boundary {Surface {1, 2, 3};}};
